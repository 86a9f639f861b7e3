/**
 * Parses the aggregations that sort documents into buckets by a field or by queries.
 */
import { illegalArgument, type JsonNode } from '@shoal/core';
import { MATCH_ALL, parseQuery, type Query, readScalar, readString } from '@shoal/query';
import type { BucketFilter, BucketRange, RangeAggregation, TermsChoice } from '../tree/aggregation.ts';
import { BY_COUNT, parseOrder, resolveMetricPath } from '../values/parse-order.ts';
import { addressesOf, addressNumber, BEHIND_ALL } from './address-range.ts';
import type { AggregationParser } from './aggregation-parsers.ts';
import { contentError, OptionReader } from './option-reader.ts';
import { notNegative, parseBounds, parseDateInterval, parseValuesSource } from './parse-values-source.ts';

const TERMS_SIZE_DEFAULT = 10;
const OTHER_KEY_DEFAULT = '_other_';

export const parseTerms: AggregationParser = (named, options) => {
  const source = parseValuesSource(options);
  const size = options.integer('size') ?? TERMS_SIZE_DEFAULT;
  if (size <= 0) throw illegalArgument(`[size] must be greater than 0. Found [${size}] in [${named.name}]`);
  const order = parseOrder(options.take('order'), BY_COUNT);
  for (const { by, path } of order) if (by === 'metric') resolveMetricPath(named.children, path);
  const given = options.integer('shard_size');
  if (given !== null && given <= 0) {
    throw illegalArgument(`[shardSize] must be greater than 0. Found [${given}] in [${named.name}]`);
  }
  // Shards agree on the first terms of an order by key; counts are only right when each returns some more.
  const suggested = order[0]?.by === 'key' ? size : Math.min(Math.trunc(size * 1.5 + 10), 0x7fff_ffff);
  options.ignore('execution_hint', 'collect_mode');
  return {
    ...named,
    kind: 'terms',
    source,
    size,
    shardSize: Math.max(size, given ?? suggested),
    minDocCount: notNegative(options, 'min_doc_count', 1, named.name),
    shardMinDocCount: notNegative(options, 'shard_min_doc_count', 0, named.name),
    order,
    choice: parseChoice(options.take('include'), options.take('exclude')),
    showsErrors: options.boolean('show_term_doc_count_error', false),
    maxDocCount: null,
  };
};

const RARE_COUNT_MAX = 100;
const ALL_TERMS = 0x7fff_ffff;

/** All terms, to know which are rare over all shards; those of the fewest documents first. */
export const parseRareTerms: AggregationParser = (named, options) => {
  const source = parseValuesSource(options);
  const maxDocCount = options.integer('max_doc_count') ?? 1;
  if (maxDocCount <= 0) {
    throw illegalArgument(`[max_doc_count] must be greater than 0. Found [${maxDocCount}] in [${named.name}]`);
  }
  if (maxDocCount > RARE_COUNT_MAX) {
    throw illegalArgument(
      `[max_doc_count] must be smaller than [${RARE_COUNT_MAX}]. Found [${maxDocCount}] in [${named.name}]`,
    );
  }
  options.ignore('precision');
  const choice = parseChoice(options.take('include'), options.take('exclude'));
  return {
    ...named,
    kind: 'terms',
    source,
    size: ALL_TERMS,
    shardSize: ALL_TERMS,
    minDocCount: 1,
    shardMinDocCount: 0,
    order: [
      { by: 'count', path: '', isAscending: true },
      { by: 'key', path: '', isAscending: true },
    ],
    choice,
    showsErrors: false,
    maxDocCount,
  };
};

function parseChoice(include: JsonNode | null, exclude: JsonNode | null): TermsChoice | null {
  if (include === null && exclude === null) return null;
  if (include?.kind === 'object') {
    const options = new OptionReader('include', include);
    const partition = options.integer('partition');
    const partitionCount = options.integer('num_partitions');
    options.finish();
    if (partition === null || partitionCount === null) {
      throw illegalArgument('Missing [partition] or [num_partitions] parameter for partition-based include');
    }
    if (exclude !== null) throw illegalArgument('Cannot specify any excludes when using a partition-based include');
    if (partitionCount < 2) throw illegalArgument('num_partitions must be >= 2');
    if (partition < 0 || partition >= partitionCount) {
      throw illegalArgument('partition must be >= 0 and < num_partitions');
    }
    return { kind: 'partition', partition, partitionCount };
  }
  const isPattern = include?.kind === 'string' || exclude?.kind === 'string';
  if (isPattern) {
    if (include?.kind === 'array' || exclude?.kind === 'array') {
      throw illegalArgument('Unable to combine a regular expression with a set of values in include and exclude');
    }
    return {
      kind: 'pattern',
      include: include && readString(include, 'include'),
      exclude: exclude && readString(exclude, 'exclude'),
    };
  }
  const values = (node: JsonNode | null, name: string) =>
    node && (node.kind === 'array' ? node.items : [node]).map((item) => readScalar(item, name));
  return { kind: 'values', include: values(include, 'include'), exclude: values(exclude, 'exclude') };
}

export const parseHistogram: AggregationParser = (named, options) => {
  const source = parseValuesSource(options);
  const interval = options.number('interval');
  if (interval === null) throw illegalArgument('Required [interval]');
  if (interval <= 0) throw illegalArgument(`[interval] must be >0 for histogram aggregation [${named.name}]`);
  return {
    ...named,
    kind: 'histogram',
    source,
    interval,
    offset: options.number('offset') ?? 0,
    minDocCount: notNegative(options, 'min_doc_count', 0, named.name),
    order: parseOrder(options.take('order'), { by: 'key', path: '', isAscending: true }),
    isKeyed: options.boolean('keyed', false),
    extendedBounds: parseBounds(options, 'extended_bounds'),
    hardBounds: parseBounds(options, 'hard_bounds'),
  };
};

export const parseDateHistogram: AggregationParser = (named, options) => ({
  ...named,
  kind: 'dateHistogram',
  source: parseValuesSource(options),
  interval: parseDateInterval(options),
  minDocCount: notNegative(options, 'min_doc_count', 0, named.name),
  order: parseOrder(options.take('order'), { by: 'key', path: '', isAscending: true }),
  isKeyed: options.boolean('keyed', false),
  extendedBounds: parseBounds(options, 'extended_bounds'),
  hardBounds: parseBounds(options, 'hard_bounds'),
});

export function rangeParser(type: RangeAggregation['type']): AggregationParser {
  return (named, options) => {
    const source = parseValuesSource(options);
    const ranges = (options.list('ranges') ?? []).map((item) => parseRange(type, item));
    if (ranges.length === 0) throw illegalArgument(`No [ranges] specified for the [${named.name}] aggregation`);
    const isKeyed = options.boolean('keyed', false);
    const timeZone = type === 'date_range' ? options.string('time_zone') : null;
    return { ...named, kind: 'range', type, source, ranges, isKeyed, timeZone };
  };
}

function parseRange(type: string, node: JsonNode): BucketRange {
  const options = new OptionReader(type, node);
  const range = { key: options.string('key'), from: options.scalar('from'), to: options.scalar('to') };
  options.finish();
  return range;
}

export const parseFilters: AggregationParser = (named, options) => {
  const node = options.take('filters');
  const wantsOther = options.boolean('other_bucket', false);
  const otherKey = options.string('other_bucket_key');
  if (node === null) throw illegalArgument(`[filters] cannot be empty.`);
  const isKeyed = node.kind === 'object';
  const filters =
    node.kind === 'object'
      ? node.members.map(({ name, value }) => ({ key: name, query: parseQuery(value) })).sort(byKey)
      : node.kind === 'array'
        ? node.items.map((item, i) => ({ key: String(i), query: parseQuery(item) }))
        : null;
  if (filters === null) throw contentError(node.at, '[filters] failed to parse field [filters]');
  if (filters.length === 0) throw illegalArgument('[filters] cannot be empty.');
  const other = otherKey ?? (wantsOther ? OTHER_KEY_DEFAULT : null);
  return { ...named, kind: 'filters', type: 'filters', filters, isKeyed, otherKey: other };
};

function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return a.key < b.key ? -1 : Number(a.key > b.key);
}

/** One bucket, of the documents that a query matches. */
function singleFilter(
  type: 'filter' | 'missing' | 'global',
  queryOf: (options: OptionReader) => Query,
): AggregationParser {
  return (named, options) => {
    const filters = [{ key: '', query: queryOf(options) }];
    return { ...named, kind: 'filters', type, filters, isKeyed: false, otherKey: null };
  };
}

export const parseFilter: AggregationParser = singleFilter('filter', (options) => {
  options.ignore(...options.node.members.map(({ name }) => name));
  return options.node.members.length === 0 ? MATCH_ALL : parseQuery(options.node);
});

export const parseMissing: AggregationParser = singleFilter('missing', (options) => {
  const { field, missing } = parseValuesSource(options);
  // A value that takes the place of none leaves no document without one.
  if (missing !== null) return { kind: 'matchNone', boost: 1, name: null };
  const exists: Query = { kind: 'exists', field, boost: 1, name: null };
  return {
    kind: 'bool',
    must: [],
    filter: [],
    should: [],
    mustNot: [exists],
    minimumShouldMatch: null,
    boost: 1,
    name: null,
  };
});

export const parseGlobal: AggregationParser = singleFilter('global', () => MATCH_ALL);

const ADJACENT_FILTERS_MAX = 100;

/** Every filter, and every two of them together. */
export const parseAdjacencyMatrix: AggregationParser = (named, options) => {
  const node = options.take('filters');
  const separator = options.string('separator') ?? '&';
  if (node?.kind !== 'object') throw illegalArgument(`[filters] cannot be null: [${named.name}]`);
  const own = node.members.map(({ name, value }) => ({ key: name, query: parseQuery(value) })).sort(byKey);
  if (own.length > ADJACENT_FILTERS_MAX) {
    throw illegalArgument(
      `Number of filters is too large, must be less than or equal to: [${ADJACENT_FILTERS_MAX}] but was [${own.length}].`,
    );
  }
  const both = own.flatMap((a, i) =>
    own.slice(i + 1).map((b) => ({ key: `${a.key}${separator}${b.key}`, query: allOf([a.query, b.query]) })),
  );
  const filters = [...own, ...both];
  return { ...named, kind: 'filters', type: 'adjacency_matrix', filters, isKeyed: false, otherKey: null };
};

function allOf(filter: readonly Query[]): Query {
  return { kind: 'bool', must: [], filter, should: [], mustNot: [], minimumShouldMatch: null, boost: 1, name: null };
}

export const parseIpRange: AggregationParser = (named, options) => {
  const { field } = parseValuesSource(options);
  const items = options.list('ranges') ?? [];
  if (items.length === 0) throw illegalArgument(`No [ranges] specified for the [${named.name}] aggregation`);
  const isKeyed = options.boolean('keyed', false);
  const filters = items.map((item) => addressRange(field, item)).sort(compareAddressRanges);
  return { ...named, kind: 'filters', type: 'ip_range', filters, isKeyed, otherKey: null };
};

function addressRange(field: string, node: JsonNode): BucketFilter {
  const options = new OptionReader('ip_range', node);
  const mask = options.string('mask');
  const given = { key: options.string('key'), from: options.string('from'), to: options.string('to') };
  options.finish();
  const { from, to } = mask === null ? given : addressesOf(mask);
  for (const end of [from, to]) if (end !== null) addressNumber(end);
  const key = given.key ?? mask ?? `${from ?? '*'}-${to ?? '*'}`;
  const ends = { includesFrom: true, includesTo: false, format: null, timeZone: null, boost: 1, name: null };
  return { key, from, to, query: { kind: 'range', field, from, to, ...ends } };
}

function compareAddressRanges(a: BucketFilter, b: BucketFilter): number {
  const number = (end: string | null | undefined, open: bigint): bigint => (end ? addressNumber(end) : open);
  const [fromA, fromB] = [number(a.from, -1n), number(b.from, -1n)];
  if (fromA !== fromB) return fromA < fromB ? -1 : 1;
  const [toA, toB] = [number(a.to, BEHIND_ALL), number(b.to, BEHIND_ALL)];
  return toA < toB ? -1 : Number(toA > toB);
}
