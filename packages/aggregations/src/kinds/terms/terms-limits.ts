/**
 * Which of the counted terms become buckets: options that `terms` and `multi_terms` share.
 */
import { illegalArgument, type ValueReader } from '@shoal/core';
import type { ParseContext } from '../../contract/aggregation-parser.ts';
import { type BucketOrder, BY_COUNT, parseOrder, readOrder } from '../../request/bucket-order.ts';
import { notNegative, readWhole } from '../../request/number-options.ts';
import type { OptionReader } from '../../request/option-reader.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

export interface TermsLimits {
  readonly size: number;
  /** Buckets a shard returns at most. */
  readonly shardSize: number;
  readonly minDocCount: number;
  readonly shardMinDocCount: number;
  /** Never empty; ends with the key, so that it is total. */
  readonly order: readonly BucketOrder[];
  readonly showsErrors: boolean;
  /** Whether aggregations inside look at documents of buckets that are not shown; null: not said. Only profiles show it. */
  readonly collectMode: CollectMode | null;
}

/** A request whose buckets are counted terms. */
export type LimitedTerms = AggregationNode & TermsLimits;

const COLLECT_MODES = ['depth_first', 'breadth_first'] as const;
type CollectMode = (typeof COLLECT_MODES)[number];

const SIZE_DEFAULT = 10;
const INT_MAX = 0x7fff_ffff;

export function parseTermsLimits(
  { name, children }: NamedParts,
  options: OptionReader,
  { checkOrder }: ParseContext,
): TermsLimits {
  const above = (option: 'size' | 'shard_size', shown: string): number | null =>
    options.within(option, () => {
      const value = options.integer(option);
      if (value === null || value > 0) return value;
      throw illegalArgument(`[${shown}] must be greater than 0. Found [${value}] in [${name}]`);
    });
  const least = (option: string, fallback: number, shown: string): number =>
    options.within(option, () => notNegative(options, option, fallback, name, shown));
  const size = above('size', 'size') ?? SIZE_DEFAULT;
  const given = above('shard_size', 'shardSize');
  const order = options.within('order', () => parseOrder(options.take('order'), BY_COUNT));
  checkOrder(order, children);
  // Shards agree on the first terms of an order by key; counts are only right when each returns some more.
  const suggested = order[0]?.by === 'key' ? size : Math.min(Math.trunc(size * 1.5 + 10), INT_MAX);
  const minDocCount = least('min_doc_count', 1, 'minDocCount');
  return {
    size,
    shardSize: Math.max(size, given ?? suggested),
    minDocCount,
    shardMinDocCount: Math.min(minDocCount, least('shard_min_doc_count', 0, 'shardMinDocCount')),
    order,
    showsErrors: options.boolean('show_term_doc_count_error', false),
    collectMode: options.word('collect_mode', COLLECT_MODES),
  };
}

export function readTermsLimits(r: ValueReader): TermsLimits {
  return {
    size: readWhole(r, 'size', 1),
    shardSize: readWhole(r, 'shardSize', 1),
    minDocCount: readWhole(r, 'minDocCount', 0),
    shardMinDocCount: readWhole(r, 'shardMinDocCount', 0),
    order: readOrder(r),
    showsErrors: r.boolean('showsErrors'),
    collectMode: r.has('collectMode') ? r.oneOf('collectMode', COLLECT_MODES) : null,
  };
}
