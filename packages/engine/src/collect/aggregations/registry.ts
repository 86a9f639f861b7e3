/**
 * The collectors of all kinds of aggregations, one line a kind, by the name of the kind.
 */
export { autoDate } from './auto-date-histogram/auto-date-histogram.ts';
export { cardinality } from './cardinality/cardinality.ts';
export { composite } from './composite/composite.ts';
export { dateHistogram } from './date-histogram/date-histogram.ts';
export { filters } from './filters/filters.ts';
export { geoBounds } from './geo-bounds/geo-bounds.ts';
export { geoCentroid } from './geo-centroid/geo-centroid.ts';
export { geoGrid } from './geo-grid/geo-grid.ts';
export { histogram } from './histogram/histogram.ts';
export { ipPrefix } from './ip-prefix/ip-prefix.ts';
export { join } from './join/join.ts';
export { matrixStats } from './matrix-stats/matrix-stats.ts';
export { multiTerms } from './multi-terms/multi-terms.ts';
export { nested } from './nested/nested.ts';
export { percentiles } from './percentiles/percentiles.ts';
export { randomSampler } from './random-sampler/random-sampler.ts';
export { range } from './range/range.ts';
export { rate } from './rate/rate.ts';
export { sampler } from './sampler/sampler.ts';
export { scriptedMetric } from './scripted-metric/scripted-metric.ts';
export { significantTerms } from './significant-terms/significant-terms.ts';
export { stats } from './stats/stats.ts';
export { stringStats } from './string-stats/string-stats.ts';
export { tTest } from './t-test/t-test.ts';
export { terms } from './terms/terms.ts';
export { topHits } from './top-hits/top-hits.ts';
export { topMetrics } from './top-metrics/top-metrics.ts';
export { variableWidthHistogram } from './variable-width-histogram/variable-width-histogram.ts';
export { weightedAverage } from './weighted-average/weighted-average.ts';
