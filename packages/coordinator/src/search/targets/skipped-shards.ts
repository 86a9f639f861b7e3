/**
 * Whether the shards of a search are asked to look first if they can have a match at all (`pre_filter_shard_size`).
 *
 * A shard that cannot is counted as skipped. Aggregations that show what no document matched need every shard.
 */
import { type AggregationLevel, type AggregationNode, isAggregation } from '@shoal/aggregations';
import { BLOCK_ID } from '@shoal/cluster';
import type { ClusterBlock, ClusterState } from '@shoal/cluster-state';
import type { SearchRequest } from '@shoal/query';
import type { SearchTarget } from './search-targets.ts';

/** Shards up to which none is skipped. */
const PRE_FILTER_SHARDS = 128;
/** The same where old data is searched, or the newest is wanted: one value rules out most shards there. */
const PRE_FILTER_SHARDS_SORTED = 1;

export interface SkippedShardsInput {
  readonly targets: readonly SearchTarget[];
  /** Blocks of indices by name. */
  readonly blocks: ClusterState['blocks']['indices'];
  readonly request: SearchRequest;
  readonly aggregations: AggregationLevel | null;
  readonly isScroll: boolean;
  /** `pre_filter_shard_size`; null when not given. */
  readonly preFilterShardSize: number | null;
}

export function canSkipShards({ targets, blocks, request, aggregations, ...options }: SkippedShardsInput): boolean {
  if (targets.length === 1 || options.isScroll || request.query.kind === 'matchAll') return false;
  const isNarrow = request.sort[0]?.kind === 'field' || targets.some(({ index }) => isReadOnly(blocks.get(index.name)));
  const fallback = isNarrow ? PRE_FILTER_SHARDS_SORTED : PRE_FILTER_SHARDS;
  if (targets.length <= (options.preFilterShardSize ?? fallback)) return false;
  return aggregations === null || !aggregations.aggregations.some(needsEveryShard);
}

function isReadOnly(blocks: readonly ClusterBlock[] = []): boolean {
  return blocks.some(({ id }) => id === BLOCK_ID.indexReadOnly || id === BLOCK_ID.indexWrite);
}

function needsEveryShard(node: AggregationNode): boolean {
  if (!isAggregation(node)) return true;
  if (node.kind === 'filters' && node.type === 'global') return true;
  if (node.kind === 'terms' && node.minDocCount === 0) return true;
  return node.children.some(needsEveryShard);
}
