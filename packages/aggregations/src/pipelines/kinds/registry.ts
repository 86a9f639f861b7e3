/**
 * The kinds of pipelines, one line each. All that must know the kinds is derived from these names.
 */
export { avgBucket } from './avg-bucket.ts';
export { bucketScript } from './bucket-script.ts';
export { bucketSelector } from './bucket-selector.ts';
export { bucketSort } from './bucket-sort.ts';
export { cumulativeCardinality } from './cumulative-cardinality.ts';
export { cumulativeSum } from './cumulative-sum.ts';
export { derivative } from './derivative.ts';
export { extendedStatsBucket } from './extended-stats-bucket.ts';
export { maxBucket } from './max-bucket.ts';
export { minBucket } from './min-bucket.ts';
export { movingAvg } from './moving-avg.ts';
export { movingFn } from './moving-fn.ts';
export { movingPercentiles } from './moving-percentiles.ts';
export { normalize } from './normalize.ts';
export { percentilesBucket } from './percentiles-bucket.ts';
export { serialDiff } from './serial-diff.ts';
export { statsBucket } from './stats-bucket.ts';
export { sumBucket } from './sum-bucket.ts';
