export { parseAggregations } from './parse/parse-aggregations.ts';
export {
  type Bucket,
  type BucketKey,
  type CompositePartial,
  type PartialResult,
  PLAIN_FORMAT,
  type RangeEnds,
  type StatsPartial,
  type TermsBucket,
  type TermsKeyKind,
  type ValueFormat,
} from './partials/partial-result.ts';
export type { FinishedLevel } from './pipelines/apply-pipelines.ts';
export { bucketComparison, type CompareBuckets, isByCountDescending, isByKey } from './reduce/bucket-order.ts';
export {
  BucketBudget,
  finishAggregations,
  type ReduceContext,
  reduceAggregations,
  reduceInSteps,
} from './reduce/reduce-aggregations.ts';
export { type CompositeKey, compareCompositeKeys } from './reduce/reduce-composite.ts';
export { termsError } from './reduce/reduce-terms.ts';
export { type RenderAggregationsOptions, renderAggregations, renderInSteps } from './render/render-aggregations.ts';
export { HdrSketch } from './sketches/hdr-sketch.ts';
export { HyperLogLog, precisionOf } from './sketches/hyper-log-log.ts';
export { TDigest } from './sketches/t-digest.ts';
export { ValueHash } from './sketches/value-hash.ts';
export type {
  Aggregation,
  AggregationLevel,
  Bounds,
  BucketOrder,
  BucketRange,
  CardinalityAggregation,
  CompositeAggregation,
  CompositeSource,
  DateHistogramAggregation,
  FiltersAggregation,
  HistogramAggregation,
  PercentilesAggregation,
  RangeAggregation,
  StatsAggregation,
  StatsType,
  TermsAggregation,
  TermsChoice,
  ValuesSource,
} from './tree/aggregation.ts';
export { DateRounding } from './tree/date-rounding.ts';
export { printDecimal } from './values/decimal-pattern.ts';
export { boundOf, printAddress } from './values/value-formats.ts';
export { readPartials, readPartialsInSteps } from './wire/partial-reader.ts';
export { writePartials, writePartialsInSteps } from './wire/partial-writer.ts';
