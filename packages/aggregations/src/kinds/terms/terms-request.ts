/**
 * Requests of `terms` and `rare_terms`.
 */
import { illegalArgument, type ValueReader } from '@shoal/core';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { type BucketOrder, BY_COUNT, BY_KEY, parseOrder, readOrder } from '../../request/bucket-order.ts';
import { notNegative, readWhole } from '../../request/number-options.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';
import { parseTermsChoice, readTermsChoice, type TermsChoice } from './terms-choice.ts';

export interface TermsAggregation extends AggregationNode {
  readonly kind: 'terms';
  readonly source: ValuesSource;
  readonly size: number;
  /** Buckets a shard returns at most. */
  readonly shardSize: number;
  readonly minDocCount: number;
  readonly shardMinDocCount: number;
  /** Never empty; ends with the key, so that it is total. */
  readonly order: readonly BucketOrder[];
  readonly choice: TermsChoice | null;
  readonly showsErrors: boolean;
  /** How texts are told apart: by numbers that all segments share, or each by itself; null: not said. Shards check it. */
  readonly executionHint: string | null;
  /** Whether aggregations inside look at documents of buckets that are not shown; null: not said. Only profiles show it. */
  readonly collectMode: CollectMode | null;
  /** Largest count of documents of a `rare_terms` bucket; null for `terms`. */
  readonly maxDocCount: number | null;
}

const COLLECT_MODES = ['depth_first', 'breadth_first'] as const;
type CollectMode = (typeof COLLECT_MODES)[number];

const SIZE_DEFAULT = 10;

export const parseTerms: AggregationParser<TermsAggregation> = (named, options, context) => {
  const source = parseValuesSource(options);
  const size = options.integer('size') ?? SIZE_DEFAULT;
  if (size <= 0) throw illegalArgument(`[size] must be greater than 0. Found [${size}] in [${named.name}]`);
  const order = parseOrder(options.take('order'), BY_COUNT);
  context.checkOrder(order, named.children);
  const given = options.integer('shard_size');
  if (given !== null && given <= 0) {
    throw illegalArgument(`[shardSize] must be greater than 0. Found [${given}] in [${named.name}]`);
  }
  // Shards agree on the first terms of an order by key; counts are only right when each returns some more.
  const suggested = order[0]?.by === 'key' ? size : Math.min(Math.trunc(size * 1.5 + 10), 0x7fff_ffff);
  return {
    ...named,
    kind: 'terms',
    source,
    size,
    shardSize: Math.max(size, given ?? suggested),
    minDocCount: notNegative(options, 'min_doc_count', 1, named.name),
    shardMinDocCount: notNegative(options, 'shard_min_doc_count', 0, named.name),
    order,
    choice: parseTermsChoice(options),
    showsErrors: options.boolean('show_term_doc_count_error', false),
    executionHint: options.string('execution_hint'),
    collectMode: options.word('collect_mode', COLLECT_MODES),
    maxDocCount: null,
  };
};

const RARE_COUNT_MAX = 100;
const ALL_TERMS = 0x7fff_ffff;

/** Shards return all terms, to know which are rare over all shards; those of the fewest documents first. */
export const parseRareTerms: AggregationParser<TermsAggregation> = (named, options) => {
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
  return {
    ...named,
    kind: 'terms',
    source,
    size: ALL_TERMS,
    shardSize: ALL_TERMS,
    minDocCount: 1,
    shardMinDocCount: 0,
    order: [{ by: 'count', path: '', isAscending: true }, BY_KEY],
    choice: parseTermsChoice(options),
    showsErrors: false,
    executionHint: null,
    collectMode: null,
    maxDocCount,
  };
};

export function readTerms(r: ValueReader, named: NamedParts): TermsAggregation {
  return {
    ...named,
    kind: 'terms',
    source: readValuesSource(r.object('source')),
    size: readWhole(r, 'size', 1),
    shardSize: readWhole(r, 'shardSize', 1),
    minDocCount: readWhole(r, 'minDocCount', 0),
    shardMinDocCount: readWhole(r, 'shardMinDocCount', 0),
    order: readOrder(r),
    choice: r.optional('choice', readTermsChoice),
    showsErrors: r.boolean('showsErrors'),
    executionHint: r.has('executionHint') ? r.string('executionHint') : null,
    collectMode: r.has('collectMode') ? r.oneOf('collectMode', COLLECT_MODES) : null,
    maxDocCount: r.has('maxDocCount') ? readWhole(r, 'maxDocCount', 1) : null,
  };
}
