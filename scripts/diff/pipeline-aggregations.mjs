/**
 * Aggregations over the buckets of others: within a parent, and beside one.
 */

const SIBLINGS = [
  'avg_bucket',
  'sum_bucket',
  'min_bucket',
  'max_bucket',
  'stats_bucket',
  'extended_stats_bucket',
  'percentiles_bucket',
];
/** Metrics that a path may end in. */
const SINGLE_VALUE = new Set([
  'avg',
  'sum',
  'min',
  'max',
  'value_count',
  'cardinality',
  'weighted_avg',
  'median_absolute_deviation',
]);

/** Names of the aggregations in `aggs` that are single values. */
export function singleValues(aggs) {
  return Object.entries(aggs)
    .filter(([, one]) => SINGLE_VALUE.has(Object.keys(one)[0]))
    .map(([name]) => name);
}

/** `[name, body]` of a pipeline among the sub-aggregations of a bucket aggregation of kind `parent`. */
export function pipelines(r, parent, metrics) {
  const isHistogram = ['date_histogram', 'histogram', 'auto_date_histogram'].includes(parent);
  const path = metrics.length > 0 ? r.pick(metrics) : '_count';
  const gap = r.options({ gap_policy: [0.2, () => r.pick(['skip', 'insert_zeros'])] });
  const own = [];
  if (isHistogram) {
    own.push([
      'derivative',
      { buckets_path: path, ...gap, ...r.options({ unit: [parent === 'histogram' ? 0 : 0.2, () => 'day'] }) },
    ]);
    own.push(['cumulative_sum', { buckets_path: path }]);
    own.push(['serial_diff', { buckets_path: path, lag: r.int(1, 3), ...gap }]);
    own.push([
      'moving_fn',
      {
        buckets_path: path,
        window: r.int(1, 5),
        script: r.pick([
          'MovingFunctions.max(values)',
          'MovingFunctions.unweightedAvg(values)',
          'MovingFunctions.ewma(values, 0.3)',
          'MovingFunctions.stdDev(values, MovingFunctions.unweightedAvg(values))',
        ]),
        ...r.options({ shift: [0.2, () => 1] }),
        ...gap,
      },
    ]);
  }
  own.push([
    'bucket_script',
    {
      buckets_path: { a: path, c: '_count' },
      script: r.pick(['params.a + params.c', 'params.c * 2', 'params.a / params.c']),
      ...gap,
    },
  ]);
  own.push(['bucket_selector', { buckets_path: { c: '_count' }, script: `params.c > ${r.int(0, 5)}`, ...gap }]);
  own.push([
    'bucket_sort',
    {
      ...r.options({
        sort: [0.8, () => [{ [path]: { order: r.pick(['asc', 'desc']) } }]],
        from: [0.2, () => 1],
        size: [0.4, () => r.int(1, 4)],
      }),
      ...gap,
    },
  ]);
  return r.pick(own);
}

/** A pipeline beside the bucket aggregation `name`, whose single values are `metrics`. */
export function sibling(r, name, metrics) {
  const path = metrics.length > 0 && r.chance(0.7) ? `${name}>${r.pick(metrics)}` : `${name}._count`;
  const options = r.options({
    gap_policy: [0.2, () => r.pick(['skip', 'insert_zeros'])],
    format: [0.1, () => '0.00'],
  });
  return { [r.pick(SIBLINGS)]: { buckets_path: path, ...options } };
}
