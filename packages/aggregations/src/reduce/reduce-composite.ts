/**
 * Composite buckets of many shards: a merge of lists that all are in the order of the sources, cut to the page.
 */
import type { CompositeAggregation, CompositeSource } from '../aggregation.ts';
import { compareKeys } from '../bucket-keys.ts';
import type { Bucket, BucketKey, CompositePartial } from '../partial-result.ts';
import { mergedBucket, type ReduceContext } from './reduce-aggregations.ts';

export type CompositeKey = readonly (BucketKey | null)[];

/** Order of composite keys: source by source, each in its direction. */
export function compareCompositeKeys(sources: readonly CompositeSource[], a: CompositeKey, b: CompositeKey): number {
  for (const [i, source] of sources.entries()) {
    const x = a[i] ?? null;
    const y = b[i] ?? null;
    const { missingOrder, isAscending } = source;
    if (x === null || y === null) {
      if (x === y) continue;
      const isNullFirst = missingOrder === 'first' || (missingOrder === 'default' && isAscending);
      return (x === null) === isNullFirst ? -1 : 1;
    }
    const c = compareKeys(x, y);
    if (c !== 0) return isAscending ? c : -c;
  }
  return 0;
}

export function reduceComposite(
  aggregation: CompositeAggregation,
  partials: readonly CompositePartial[],
  context: ReduceContext,
): CompositePartial {
  const { sources, size } = aggregation;
  const all = partials.flatMap(({ buckets }) => buckets);
  all.sort((a, b) => compareCompositeKeys(sources, a.key, b.key));
  const buckets: Bucket<CompositeKey>[] = [];
  for (let from = 0; from < all.length && buckets.length < size; ) {
    const key = all[from]?.key ?? [];
    let to = from + 1;
    while (to < all.length && compareCompositeKeys(sources, all[to]?.key ?? [], key) === 0) to++;
    buckets.push({ key, ...mergedBucket(aggregation, all.slice(from, to), context) });
    from = to;
  }
  context.buckets.take(context.isFinal ? buckets.length : 0);
  const filled = partials.find((partial) => partial.buckets.length > 0) ?? partials[0];
  return {
    kind: 'composite',
    formats: filled?.formats ?? sources.map(() => ({ kind: 'plain' })),
    keyKinds: filled?.keyKinds ?? sources.map(() => 'text' as const),
    buckets,
  };
}
