/**
 * Options that all pipelines share: the path to their values, what gaps stand for, and the format of the answer.
 */
import { illegalArgument, type JsonNode, parsingException, ValueReader } from '@shoal/core';
import { readString } from '@shoal/query';
import type { PipelineNames, PipelineParts } from '../contract/pipeline-kind.ts';
import type { OptionReader } from '../request/option-reader.ts';
import { readMeta } from '../request/read-meta.ts';
import { validationError } from '../request/request-errors.ts';
import type { GapPolicy } from '../tree/pipeline-node.ts';

/** @param policies whether the request may say what gaps stand for */
export function parseShared(
  named: PipelineNames,
  options: OptionReader,
  gaps: GapPolicy,
  policies: 'any' | 'none' = 'any',
): PipelineParts {
  const node = options.take('buckets_path') && options.ofKind('buckets_path', ['string', 'array']);
  if (node === null) {
    throw parsingException(
      `Missing required field [buckets_path] for pipeline of type [${options.type}]`,
      options.node.at,
    );
  }
  const path = parseBucketsPath(onlyPath(node, named.name));
  const gapPolicy = policies === 'none' ? gaps : (parseGapPolicy(options.string('gap_policy')) ?? gaps);
  return { ...named, path, gapPolicy, format: options.string('format') };
}

/** The path of a pipeline that takes one, which the Java client writes as an array. @throws ShoalError (400) for any other number of them */
export function onlyPath(node: JsonNode, name: string): string {
  const [first, ...more] = node.kind === 'array' ? node.items : [node];
  if (first !== undefined && more.length === 0) return readString(first, 'buckets_path');
  throw validationError([`buckets_path must contain a single entry for aggregation [${name}]`]);
}

export function parseGapPolicy(text: string | null): GapPolicy | null {
  if (text === null || text === 'skip' || text === 'insert_zeros' || text === 'keep_values') return text;
  throw illegalArgument(`Invalid gap policy: [${text}], accepted values: [insert_zeros, skip, keep_values]`);
}

/** Names to descend by, out of `a>b.value`, `a>filters['key']>m[99.0]`. */
export function parseBucketsPath(text: string): readonly string[] {
  const steps: string[] = [];
  for (const element of text.split('>')) {
    const bracket = /^([^[]*)\[([^\]]+)\]$/.exec(element);
    const dot = element.indexOf('.');
    if (bracket) steps.push(bracket[1] ?? '', bracket[2] ?? '');
    else if (dot > 0 && dot < element.length - 1) steps.push(element.slice(0, dot), element.slice(dot + 1));
    else steps.push(element);
  }
  if (steps.some((step) => step === '')) throw illegalArgument(`Invalid path element in path [${text}]`);
  return steps;
}

/** Names in one path of a message: aggregations nest less deep. */
const STEPS_MAX = 10_000;

export function readPath(value: unknown, field: string): readonly string[] {
  return new ValueReader({ path: value }, field).list('path', ValueReader.asString, STEPS_MAX);
}

export function readShared(r: ValueReader): PipelineParts {
  return {
    name: r.string('name'),
    meta: r.optional('meta', readMeta),
    path: r.item('path', readPath),
    gapPolicy: r.oneOf('gapPolicy', ['skip', 'insert_zeros', 'keep_values']),
    format: r.optionalString('format'),
  };
}
