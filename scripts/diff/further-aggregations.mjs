/**
 * Bucket aggregations that compare, sample and combine, by the name of each.
 */
import { drawQuery } from './compound-queries.mjs';

const field = (r, ...families) => r.field(...families).path;

/** Fields that no document has several values of. */
const SINGLE_VALUED = ['kind', 'code', 'tiny', 'price', 'section', 'priority', 'size', 'method', 'status'];

const HEURISTICS = [
  () => ({ jlh: {} }),
  (r) => ({ mutual_information: { include_negatives: r.chance(0.5), background_is_superset: r.chance(0.8) } }),
  (r) => ({ chi_square: { include_negatives: r.chance(0.5), background_is_superset: r.chance(0.8) } }),
  (r) => ({ gnd: r.options({ background_is_superset: [0.5, () => r.chance(0.8)] }) }),
  () => ({ percentage: {} }),
  () => ({ script_heuristic: { script: { source: 'params._subset_freq * 1.0 / params._superset_freq' } } }),
];

const significance = (r) => ({
  ...r.options({
    size: [0.5, () => r.int(1, 8)],
    min_doc_count: [0.6, () => r.int(1, 4)],
    shard_min_doc_count: [0.1, () => r.int(0, 3)],
    background_filter: [0.15, () => drawQuery(r, 0)],
  }),
  ...(r.chance(0.5) ? r.pick(HEURISTICS)(r) : {}),
});

const termSource = (r) => ({
  field: field(r, 'keyword', 'keyword', 'number', 'date', 'ip', 'boolean'),
});

const SCRIPTED = {
  sum: {
    init_script: 'state.found = []',
    map_script: "if (doc['n'].size() > 0) { state.found.add(doc['n'].value + params.a) }",
    combine_script: 'double sum = 0; for (t in state.found) { sum += t } return sum',
    reduce_script: 'double sum = 0; for (s in states) { sum += s } return sum',
    params: { a: 1 },
  },
  counts: {
    init_script: 'state.counts = new TreeMap()',
    map_script: "for (k in doc['tags']) { state.counts.merge(k, 1, (a, b) -> a + b) }",
    combine_script: 'return state.counts',
    reduce_script:
      'def all = new TreeMap(); for (s in states) { for (e in s.entrySet()) { all.merge(e.getKey(), e.getValue(), (a, b) -> a + b) } } return all',
  },
};

/** Generator of the body by the name of the aggregation. */
export const FURTHER_BUCKETS = {
  significant_terms: (r) => ({
    field: field(r, 'keyword', 'keyword', 'number', 'ip'),
    ...significance(r),
    ...r.options({ exclude: [0.05, () => ['red']], execution_hint: [0.1, () => 'map'] }),
  }),
  significant_text: (r) => ({
    field: r.target.of('text')[0].path,
    ...significance(r),
    ...r.options({ filter_duplicate_text: [0.3, () => r.chance(0.7)] }),
  }),
  sampler: (r) => r.options({ shard_size: [0.6, () => r.pick([5, 50, 5000])] }),
  diversified_sampler: (r) => ({
    field: r.pick(SINGLE_VALUED.filter((name) => r.target.fields.some(({ path }) => path === name))),
    ...r.options({ shard_size: [0.6, () => r.pick([5, 20, 50])], max_docs_per_value: [0.5, () => r.int(1, 3)] }),
  }),
  multi_terms: (r) => ({
    terms: r.list(2, 3, () => termSource(r)),
    ...r.options({
      size: [0.5, () => r.int(1, 12)],
      min_doc_count: [0.2, () => r.int(1, 3)],
      order: [0.3, () => r.pick([{ _key: 'desc' }, { _count: 'asc' }])],
    }),
  }),
  variable_width_histogram: (r) => ({
    field: field(r, 'number'),
    ...r.options({
      buckets: [0.6, () => r.int(1, 12)],
      shard_size: [0.2, () => 100],
      initial_buffer: [0.1, () => 200],
    }),
  }),
};

/** Generator of the body by the name of the aggregation. */
export const FURTHER_METRICS = {
  matrix_stats: (r) => ({
    fields: r.some(
      r.target.of('number', r.nested).map(({ path }) => path),
      1,
      3,
    ),
    ...r.options({
      missing: [0.2, () => ({ n: 3 })],
      mode: [0.3, () => r.pick(['avg', 'min', 'max', 'sum', 'median'])],
    }),
  }),
  scripted_metric: (r) => r.pick(Object.values(SCRIPTED)),
};
