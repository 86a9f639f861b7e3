/**
 * Aggregations without buckets, by the name of each.
 */
import { drawSort } from './sorts.mjs';

const field = (r, ...families) => r.field(...families).path;
const missingNumber = (r) => ({ missing: [0.15, () => r.int(-10, 50)] });

function metricOf(r) {
  const families = r.chance(0.2) ? ['date', 'boolean'] : ['number'];
  return { field: field(r, ...families), ...(families[0] === 'number' ? r.options(missingNumber(r)) : {}) };
}

const percents = (r) =>
  r.options({ percents: [0.5, () => r.some([1, 10, 25, 50, 75.5, 90, 99.9], 1, 4).sort((a, b) => a - b)] });

/** Generator of the body by the name of the aggregation. */
export const METRICS = {
  avg: metricOf,
  sum: metricOf,
  min: metricOf,
  max: metricOf,
  stats: metricOf,
  extended_stats: (r) => ({ ...metricOf(r), ...r.options({ sigma: [0.3, () => r.pick([0, 1.5, 3])] }) }),
  value_count: (r) => ({ field: field(r, 'number', 'keyword', 'date', 'ip', 'geo', 'boolean', 'range') }),
  cardinality: (r) => ({
    field: field(r, 'keyword', 'number', 'date', 'ip', 'boolean'),
    ...r.options({ precision_threshold: [0.2, () => r.pick([100, 3000, 40000])] }),
  }),
  percentiles: (r) => ({
    field: field(r, 'number'),
    ...percents(r),
    ...r.options({ keyed: [0.3, () => r.chance(0.5)], hdr: [0.15, () => ({ number_of_significant_value_digits: 3 })] }),
  }),
  percentile_ranks: (r) => ({
    field: field(r, 'number'),
    values: r.list(1, 3, () => r.int(-10, 100)),
    ...r.options({ keyed: [0.3, () => r.chance(0.5)] }),
  }),
  median_absolute_deviation: (r) => ({ field: field(r, 'number') }),
  weighted_avg: (r) => ({
    value: { field: field(r, 'number'), ...r.options(missingNumber(r)) },
    weight: {
      field: 'installed_size price bytes'.split(' ').find((name) => r.target.fields.some(({ path }) => path === name)),
      ...r.options({ missing: [0.3, () => 2] }),
    },
  }),
  geo_bounds: (r) => ({ field: field(r, 'geo'), ...r.options({ wrap_longitude: [0.3, () => r.chance(0.5)] }) }),
  geo_centroid: (r) => ({ field: field(r, 'geo') }),
  top_hits: (r) => ({
    size: r.int(1, 3),
    ...r.options({
      from: [0.15, () => 1],
      sort: [0.6, () => drawSort(r)],
      _source: [0.4, () => r.pick([false, [field(r, 'keyword')]])],
      docvalue_fields: [0.2, () => [field(r, 'keyword', 'number')]],
      version: [0.1, () => true],
    }),
  }),
};
