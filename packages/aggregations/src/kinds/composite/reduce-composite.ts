/**
 * Composite buckets of many shards: a merge of lists that all are in the order of the sources, cut to the page.
 */
import { type Steps, sortInSteps } from '@shoal/core';
import { mergedBucket, type ReduceContext } from '../../contract/reduce-context.ts';
import type { Bucket } from '../../tree/partial-node.ts';
import { compareKeys } from '../../values/bucket-key.ts';
import type { CompositeKey, CompositePartial } from './composite-partial.ts';
import type { CompositeAggregation } from './composite-request.ts';
import type { CompositeSource } from './composite-source.ts';

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

export function* reduceComposite(
  aggregation: CompositeAggregation,
  partials: readonly CompositePartial[],
  context: ReduceContext,
): Steps<CompositePartial> {
  const { sources, size } = aggregation;
  const { meter } = context;
  const compare = (a: Bucket<CompositeKey>, b: Bucket<CompositeKey>): number =>
    compareCompositeKeys(sources, a.key, b.key);
  const lists = partials.map((partial) => partial.buckets);
  // The list of one shard is in order already.
  const all = lists.length === 1 ? (lists[0] ?? []) : yield* sortInSteps(lists.flat(), compare, meter);
  const areWholeAlone = context.areWholeAlone(aggregation.children);
  const buckets: Bucket<CompositeKey>[] = [];
  for (let from = 0; from < all.length && buckets.length < size; ) {
    const first = all[from] as Bucket<CompositeKey>;
    let to = from + 1;
    while (to < all.length && compare(all[to] as Bucket<CompositeKey>, first) === 0) to++;
    const same = all.slice(from, to);
    if (same.length === 1 && areWholeAlone) buckets.push(first);
    else buckets.push({ key: first.key, ...(yield* mergedBucket(aggregation, same, context)) });
    if (meter.isDue(0.5)) yield;
    from = to;
  }
  context.buckets.take(context.isFinal ? buckets.length : 0);
  const filled = partials.find((partial) => partial.buckets.length > 0) ?? partials[0];
  return {
    kind: 'composite',
    formats: filled?.formats ?? sources.map(() => ({ kind: 'plain' })),
    keyKinds: filled?.keyKinds ?? sources.map(() => 'text' as const),
    buckets,
    lastKey: buckets.at(-1)?.key ?? null,
  };
}
