export { BucketBudget } from './contract/bucket-budget.ts';
export type { CompareBuckets } from './contract/reduce-context.ts';
export type { DateInterval } from './intervals/date-interval.ts';
export { DateRounding } from './intervals/date-rounding.ts';
export { type Aggregation, isAggregation, type PartialResult } from './kinds/aggregation-kinds.ts';
export type { AutoDateAggregation } from './kinds/auto-date-histogram/auto-date-request.ts';
export { AUTO_UNITS, autoRounding, mostBuckets, mostSpanMs } from './kinds/auto-date-histogram/auto-intervals.ts';
export type { CardinalityAggregation } from './kinds/cardinality/cardinality-request.ts';
export type { CompositeKey, CompositePartial } from './kinds/composite/composite-partial.ts';
export type { CompositeAggregation } from './kinds/composite/composite-request.ts';
export type { CompositeSource } from './kinds/composite/composite-source.ts';
export { compareCompositeKeys } from './kinds/composite/reduce-composite.ts';
export type { DateHistogramAggregation } from './kinds/date-histogram/date-histogram-request.ts';
export type { FiltersAggregation } from './kinds/filters/filters-request.ts';
export { type GeoBoundsAggregation, NO_EXTREMES } from './kinds/geo-bounds/geo-bounds.ts';
export type { GeoCentroidAggregation } from './kinds/geo-centroid/geo-centroid.ts';
export type { GeoGridAggregation } from './kinds/geo-grid/geo-grid-request.ts';
export { histogramSpans, type KeySpan } from './kinds/histogram/histogram-bounds.ts';
export type { Bounds } from './kinds/histogram/histogram-options.ts';
export type { HistogramAggregation } from './kinds/histogram/histogram-request.ts';
export type { IpPrefixAggregation } from './kinds/ip-prefix/ip-prefix-request.ts';
export type { JoinAggregation } from './kinds/join/join-request.ts';
export type { MatrixStatsAggregation } from './kinds/matrix-stats/matrix-stats-request.ts';
export type { MultiTermsAggregation } from './kinds/multi-terms/multi-terms-request.ts';
export type { NestedAggregation } from './kinds/nested/nested-request.ts';
export type { PercentilesAggregation } from './kinds/percentiles/percentiles-request.ts';
export type { RandomSamplerAggregation } from './kinds/random-sampler/random-sampler-request.ts';
export type { DistanceOrigin } from './kinds/range/distance-origin.ts';
export type { RangeEnds } from './kinds/range/range-partial.ts';
export type { BucketRange, RangeAggregation } from './kinds/range/range-request.ts';
export type { RateAggregation } from './kinds/rate/rate-request.ts';
export { withRateUnits } from './kinds/rate/sized-rates.ts';
export type { SamplerAggregation } from './kinds/sampler/sampler-request.ts';
export type { ScriptedMetricAggregation } from './kinds/scripted-metric/scripted-metric-request.ts';
export type {
  SignificantTermsAggregation,
  SignificantText,
} from './kinds/significant-terms/significant-terms-request.ts';
export { significanceScore } from './kinds/significant-terms/term-significance.ts';
export { AGGREGATION_TYPE_NAMES, type SourceType, sourceTypesOf } from './kinds/source-types.ts';
export type { StatsPartial } from './kinds/stats/stats-partial.ts';
export type { StatsAggregation, StatsType } from './kinds/stats/stats-request.ts';
export type { StringStatsAggregation } from './kinds/string-stats/string-stats.ts';
export type { Population, TTestAggregation } from './kinds/t-test/t-test-request.ts';
export { SINGLE_KEYS, type TermKeys, TUPLE_KEYS, termsError } from './kinds/terms/reduce-terms.ts';
export type { TermsChoice } from './kinds/terms/terms-choice.ts';
export type { LimitedTerms, TermsLimits } from './kinds/terms/terms-limits.ts';
export type { TermsBucket, TermsList } from './kinds/terms/terms-list.ts';
export type { TermsAggregation } from './kinds/terms/terms-request.ts';
export type { TopHitsPartial, TopHitsRow } from './kinds/top-hits/top-hits-partial.ts';
export type { TopHitsAggregation } from './kinds/top-hits/top-hits-request.ts';
export { TOP_METRICS_SCORE } from './kinds/top-metrics/top-metrics-request.ts';
export type { VariableWidthPartial } from './kinds/variable-width-histogram/variable-width-partial.ts';
export type { VariableWidthAggregation } from './kinds/variable-width-histogram/variable-width-request.ts';
export type { WeightedAverageAggregation } from './kinds/weighted-average/weighted-average-request.ts';
export { checkPlaces } from './levels/check-places.ts';
export { bucketComparison } from './levels/order-numbers.ts';
export { parseAggregations } from './levels/parse-aggregations.ts';
export { readPartials, readPartialsInSteps, writePartials, writePartialsInSteps } from './levels/partial-codec.ts';
export { readAggregations } from './levels/read-aggregations.ts';
export {
  finishAggregations,
  reduceAggregations,
  reduceBatchInSteps,
  reduceInSteps,
} from './levels/reduce-aggregations.ts';
export { type RenderAggregationsOptions, renderAggregations, renderInSteps } from './levels/render-aggregations.ts';
export { type BucketOrder, isByCountDescending, isByKey } from './request/bucket-order.ts';
export type { GridOptions } from './request/grid-options.ts';
export { declaredKind } from './request/value-type.ts';
export type { ValuesSource } from './request/values-source.ts';
export { HdrSketch } from './sketches/hdr-sketch.ts';
export { HyperLogLog, precisionOf } from './sketches/hyper-log-log.ts';
export { JointMoments } from './sketches/joint-moments.ts';
export { TDigest } from './sketches/t-digest.ts';
export { ValueHash } from './sketches/value-hash.ts';
export type { AggregationLevel, AggregationNode } from './tree/aggregation-node.ts';
export type { FinishedLevel } from './tree/finished-level.ts';
export type { Bucket, PartialNode } from './tree/partial-node.ts';
export type { BucketKey, KeyKind } from './values/bucket-key.ts';
export { printDecimal } from './values/decimal-pattern.ts';
export { KahanSum } from './values/kahan-sum.ts';
export { type KeyTuple, tupleName } from './values/key-tuple.ts';
export { PLAIN_FORMAT, printAddress, type ValueFormat } from './values/value-format.ts';
