/**
 * `random_sampler`: one bucket, of a share of the documents that match, drawn at random; what is in it is shown as if it were over all
 * of them.
 */
import { illegalArgument, type Steps } from '@shoal/core';
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import type { ReduceContext } from '../../contract/reduce-context.ts';
import type { BucketRenderer } from '../../render/bucket-renderer.ts';
import type { AggregationNode } from '../../tree/aggregation-node.ts';
import type { FiltersPartial } from '../filters/filters-partial.ts';
import { renderSingle, singleBucketKind } from '../filters/single-bucket.ts';
import { parseRandomSampler, type RandomSamplerAggregation, readRandomSampler } from './random-sampler-request.ts';
import { SCALED_KINDS, scaledPartial } from './scaled-partial.ts';

const single: BucketKind<RandomSamplerAggregation, FiltersPartial> = singleBucketKind({
  kind: 'randomSampler',
  parsers: { random_sampler: parseRandomSampler },
  read: readRandomSampler,
  resultType: () => 'random_sampler',
});

export const randomSampler: BucketKind<RandomSamplerAggregation, FiltersPartial> = {
  ...single,
  checkParents,
  reduce: reduceSampled,
  render: renderSampled,
};

function checkParents(aggregation: RandomSamplerAggregation, parents: readonly AggregationNode[]): void {
  const [parent] = parents;
  const who = `[random_sampler] aggregation [${aggregation.name}]`;
  if (parent !== undefined) throw illegalArgument(`${who} must be at the top level, and not in [${parent.name}]`);
  if (aggregation.children.length === 0) throw illegalArgument(`${who} must have sub aggregations configured`);
  refuseUnscaled(who, aggregation.children);
}

function refuseUnscaled(who: string, aggregations: readonly AggregationNode[]): void {
  for (const { kind, type, name, children } of aggregations) {
    if (!SCALED_KINDS.has(kind)) {
      throw illegalArgument(`${who} does not support sampling [${type}] aggregation [${name}]`);
    }
    refuseUnscaled(who, children);
  }
}

function* reduceSampled(
  aggregation: RandomSamplerAggregation,
  partials: readonly FiltersPartial[],
  context: ReduceContext,
): Steps<FiltersPartial> {
  const reduced = yield* single.reduce(aggregation, partials, context);
  // Scaled once, when nothing is added any more: the count of the sample itself says how many documents were looked at.
  if (!context.isFinal || aggregation.probability === 1) return reduced;
  const factor = 1 / aggregation.probability;
  const buckets = reduced.buckets.map((bucket) => ({
    ...bucket,
    children: bucket.children.map((child) => scaledPartial(child, factor)),
  }));
  return { kind: 'filters', buckets };
}

function* renderSampled(
  aggregation: RandomSamplerAggregation,
  partial: FiltersPartial,
  to: BucketRenderer,
  isFirst: boolean,
): Steps<void> {
  const { seed, probability } = aggregation;
  to.out.add(`${isFirst ? '' : ','}"seed":${seed},"probability":${probability}`);
  yield* renderSingle(aggregation, partial, to, false);
}
