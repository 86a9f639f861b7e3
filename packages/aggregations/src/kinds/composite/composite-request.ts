/**
 * Requests of `composite`: buckets by several fields at once, page by page.
 */
import { illegalArgument, type JsonNode, ValueReader } from '@shoal/core';
import { type QueryValue, readField, readQueryValue } from '@shoal/query';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { readWhole } from '../../request/number-options.ts';
import { OptionReader } from '../../request/option-reader.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';
import { type CompositeSource, parseCompositeSource, readSource } from './composite-source.ts';

export interface CompositeAggregation extends AggregationNode {
  readonly kind: 'composite';
  readonly sources: readonly CompositeSource[];
  readonly size: number;
  /** Key behind which the buckets start, one value a source; null: at the first. */
  readonly after: readonly QueryValue[] | null;
}

const SIZE_DEFAULT = 10;
const SOURCES_MAX = 64;

export const parseComposite: AggregationParser<CompositeAggregation> = (named, options) => {
  const node = options.take('sources');
  if (node === null) {
    options.lack(illegalArgument('Required [sources]'));
    options.ignore('size', 'after');
    return { ...named, kind: 'composite', sources: [], size: SIZE_DEFAULT, after: null };
  }
  const items = node.kind === 'array' ? node.items : [node];
  const sources = readField('composite', { name: 'sources', value: node, at: node.at }, () =>
    items.map(parseCompositeSource),
  );
  if (sources.length === 0) throw illegalArgument('Composite [sources] cannot be null or empty');
  if (sources.length > SOURCES_MAX)
    throw illegalArgument(`Composite [sources] cannot have more than ${SOURCES_MAX} items`);
  const names = new Set<string>();
  for (const { name } of sources) {
    if (names.has(name)) throw illegalArgument(`Composite source names must be unique, found duplicates: [${name}]`);
    names.add(name);
  }
  const size = options.integer('size') ?? SIZE_DEFAULT;
  if (size <= 0) throw illegalArgument(`[size] must be greater than 0. Found [${size}] in [${named.name}]`);
  return { ...named, kind: 'composite', sources, size, after: parseAfter(options.take('after'), sources) };
};

function parseAfter(node: JsonNode | null, sources: readonly CompositeSource[]): readonly QueryValue[] | null {
  if (node === null) return null;
  const values = new OptionReader('after', node);
  if (values.node.members.length !== sources.length) {
    throw illegalArgument(`[after] has ${values.node.members.length} value(s) but [sources] has ${sources.length}`);
  }
  return sources.map(({ name, hasMissingBucket }) => {
    const value = values.node.members.find((member) => member.name === name)?.value;
    if (value === undefined) throw illegalArgument(`Missing value for [after.${name}]`);
    if (value.kind === 'null' && !hasMissingBucket) throw illegalArgument(`Missing value for [after.${name}]`);
    return readQueryValue(value, 'after');
  });
}

export function readComposite(r: ValueReader, named: NamedParts): CompositeAggregation {
  const sources = r.list('sources', readSource, SOURCES_MAX);
  if (sources.length === 0) r.refuse('sources', 'at least one source');
  const after = r.has('after') ? r.list('after', ValueReader.asScalar, SOURCES_MAX) : null;
  if (after !== null && after.length !== sources.length) r.refuse('after', `${sources.length} values`);
  return { ...named, kind: 'composite', sources, size: readWhole(r, 'size', 1), after };
}
