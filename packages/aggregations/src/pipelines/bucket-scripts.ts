/**
 * What `bucket_script` and `bucket_selector` share: a script, and the values of a bucket that it finds among its parameters.
 */
import { contentError, parsingException, ShoalError, ValueReader } from '@shoal/core';
import {
  paramsOf,
  parseScript,
  programOf,
  readScript,
  type ScriptContext,
  type ScriptProgram,
  type ScriptRequest,
} from '@shoal/script';
import type { OptionReader } from '../request/option-reader.ts';
import type { AggregationNode } from '../tree/aggregation-node.ts';
import type { FinishedBucket } from '../tree/finished-level.ts';
import type { GapPolicy, PipelineNode } from '../tree/pipeline-node.ts';
import { bucketValue } from './bucket-value.ts';
import { parseBucketsPath, parseGapPolicy, readPath } from './pipeline-options.ts';

/** A value of a bucket, under the name by which the script finds it. */
export interface NamedPath {
  readonly name: string;
  readonly path: readonly string[];
}

interface Scripted {
  readonly script: ScriptRequest;
  readonly variables: readonly NamedPath[];
}

/** Values that one script is given. */
const VARIABLES_MAX = 10_000;
/** Name of the only value of a request that names none. */
const ONLY_NAME = '_value';

export function parseScripted(options: OptionReader): Scripted & Pick<PipelineNode, 'path' | 'gapPolicy' | 'format'> {
  const node = options.take('buckets_path');
  const script = options.take('script');
  if (node === null) {
    const reason = `Missing required field [buckets_path] for ${options.type} aggregation`;
    throw parsingException(reason, options.node.at);
  }
  if (script === null) {
    throw parsingException(`Missing required field [script] for ${options.type} aggregation`, options.node.at);
  }
  const variables: NamedPath[] = [];
  if (node.kind === 'string') variables.push({ name: ONLY_NAME, path: parseBucketsPath(node.value) });
  else if (node.kind === 'object') {
    for (const { name, value } of node.members) {
      if (value.kind !== 'string')
        throw contentError(value.at, `[${options.type}] needs a text as the path of [${name}]`);
      variables.push({ name, path: parseBucketsPath(value.value) });
    }
  } else if (node.kind === 'array') {
    for (const [i, item] of node.items.entries()) {
      if (item.kind !== 'string') throw contentError(item.at, `[${options.type}] needs texts in [buckets_path]`);
      variables.push({ name: `${ONLY_NAME}${i}`, path: parseBucketsPath(item.value) });
    }
  } else throw contentError(node.at, `[${options.type}] needs names and paths in [buckets_path]`);
  const gapPolicy = parseGapPolicy(options.string('gap_policy')) ?? 'skip';
  return { script: parseScript(script), variables, path: [], gapPolicy, format: options.string('format') };
}

export function readScripted(r: ValueReader): Scripted {
  return {
    script: readScript(ValueReader.of(r.raw('script'), 'script')),
    variables: r.list('variables', readVariable, VARIABLES_MAX),
  };
}

function readVariable(value: unknown, field: string): NamedPath {
  const r = ValueReader.of(value, field);
  return { name: r.string('name'), path: r.item('path', readPath) };
}

/** @throws ShoalError where the script does not compile, or is not stored */
export function programOfBuckets(script: ScriptRequest, context: ScriptContext): ScriptProgram {
  if (script.source !== null) return programOf(script, context);
  throw new ShoalError('resource_not_found_exception', 404, `unable to find script [${script.id}] in cluster state`);
}

/** Runs the script for one bucket after the other. @throws ShoalError where it does not compile, or is not stored */
export function scriptOfBuckets(
  script: ScriptRequest,
  context: ScriptContext,
): (given: ReadonlyMap<string, number>) => unknown {
  const program = programOfBuckets(script, context);
  const params = paramsOf(script);
  return (given) => {
    for (const [name, value] of given) params.set(name, value);
    return program.run([params]);
  };
}

interface Asked {
  readonly variables: readonly NamedPath[];
  readonly gapPolicy: GapPolicy;
  /** Values that are missing are given as NaN, instead of leaving the bucket without a script. */
  readonly keepsGaps?: boolean;
}

/** Values of a bucket by their names; null where one is missing, and gaps are skipped. */
export function valuesOf(
  { variables, gapPolicy, keepsGaps = false }: Asked,
  children: readonly AggregationNode[],
  bucket: FinishedBucket,
): ReadonlyMap<string, number> | null {
  const given = new Map<string, number>();
  for (const { name, path } of variables) {
    const value = bucketValue(children, bucket, path, gapPolicy) ?? Number.NaN;
    if (gapPolicy === 'skip' && !keepsGaps && !Number.isFinite(value)) return null;
    given.set(name, value);
  }
  return given;
}
