/**
 * `sampler` and `diversified_sampler`: one bucket, of the documents of each shard that match best.
 */
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import type { FiltersPartial } from '../filters/filters-partial.ts';
import { singleBucketKind } from '../filters/single-bucket.ts';
import { parseDiversifiedSampler, parseSampler, readSampler, type SamplerAggregation } from './sampler-request.ts';

export const sampler: BucketKind<SamplerAggregation, FiltersPartial> = singleBucketKind({
  kind: 'sampler',
  parsers: { diversified_sampler: parseDiversifiedSampler, sampler: parseSampler },
  read: readSampler,
  resultType: () => 'sampler',
});
