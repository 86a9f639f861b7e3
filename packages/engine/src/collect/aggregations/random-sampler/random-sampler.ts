/**
 * Collector of `random_sampler`.
 */
import type { RandomSamplerAggregation } from '@shoal/aggregations';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { RandomSamplerCollector } from './random-sampler-collector.ts';

export const randomSampler: CollectorKind<RandomSamplerAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile }, { probability, seed, shardSeed }, children) => {
    const { indexUuid, number } = compile.shard;
    const ofShard = shardSeed === null ? `${indexUuid}/${number}` : String(shardSeed);
    return new RandomSamplerCollector({ probability, seed: `${seed}/${ofShard}` }, children);
  },
};
