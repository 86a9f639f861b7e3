/**
 * Aggregations of all kinds, nested in each other, with pipeline aggregations over them.
 */
import { drawQuery } from './compound-queries.mjs';
import { FURTHER_BUCKETS, FURTHER_METRICS } from './further-aggregations.mjs';
import { METRICS as PLAIN_METRICS } from './metric-aggregations.mjs';
import { pipelines, sibling, singleValues } from './pipeline-aggregations.mjs';

const METRICS = { ...PLAIN_METRICS, ...FURTHER_METRICS };

const field = (r, ...families) => r.field(...families).path;
const FORMATS = ['yyyy-MM-dd', 'epoch_millis', 'dd.MM.yyyy HH:mm', 'strict_date_time'];
const NEEDS = { geo_bounds: 'geo', geo_centroid: 'geo', geotile_grid: 'geo', geohash_grid: 'geo', geo_distance: 'geo' };

function order(r) {
  return r.pick([{ _key: 'asc' }, { _key: 'desc' }, { _count: 'asc' }, [{ _count: 'desc' }, { _key: 'desc' }]]);
}

function terms(r) {
  const on = r.field('keyword', 'keyword', 'number', 'date', 'ip', 'boolean', 'text');
  const target = on.type === 'text' ? r.field('keyword') : on;
  const isText = target.type === 'keyword';
  const include =
    isText && target.values.length > 0
      ? r.pick([
          `${String(target.values[0])
            .slice(0, 1)
            .replaceAll(/[^\p{L}]/gu, '.')}.*`,
          r.some(target.values.map(String), 1, 4),
          '[a-m].*',
        ])
      : undefined;
  return {
    field: target.path,
    ...r.options({
      size: [0.6, () => r.pick([1, 3, 5, 20, 1000])],
      shard_size: [0.1, () => r.pick([5, 50, 2000])],
      order: [0.3, () => order(r)],
      min_doc_count: [0.2, () => r.int(0, 3)],
      missing: [
        0.12,
        () =>
          isText
            ? 'none'
            : target.type === 'ip'
              ? '10.0.0.1'
              : /date/.test(target.type)
                ? r.pick(target.values)
                : target.type === 'boolean'
                  ? true
                  : r.int(0, 9),
      ],
      show_term_doc_count_error: [0.1, () => true],
      execution_hint: [0.1, () => (isText ? r.pick(['map', 'global_ordinals']) : 'map')],
      collect_mode: [0.1, () => r.pick(['depth_first', 'breadth_first'])],
      ...(include === undefined
        ? {}
        : { include: [0.15, () => include], exclude: [0.1, () => r.pick(['[a-c].*', [String(target.values[0])]])] }),
    }),
  };
}

const CALENDAR = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year', '1d', '1M', '1y', '1q', '1w'];
const FIXED = ['30d', '12h', '90d', '7d', '1000h'];

function dateHistogram(r) {
  const on = r.field('date');
  const interval = r.chance(0.5) ? { calendar_interval: r.pick(CALENDAR.slice(2)) } : { fixed_interval: r.pick(FIXED) };
  return {
    field: on.path,
    ...interval,
    ...r.options({
      time_zone: [0.25, () => r.zone()],
      offset: [0.2, () => r.pick(['+6h', '-1d', '+36h', '1h'])],
      min_doc_count: [0.35, () => r.int(0, 2)],
      keyed: [0.1, () => true],
      order: [0.15, () => r.pick([{ _key: 'desc' }, { _count: 'desc' }])],
      ...(on.type === 'date' ? { format: [0.2, () => r.pick(FORMATS)] } : {}),
      ...(on.field.format === undefined && on.type === 'date'
        ? {
            extended_bounds: [0.08, () => ({ min: '2018-12-01', max: '2022-02-01' })],
            missing: [0.08, () => '2020-01-01'],
          }
        : {}),
    }),
  };
}

function histogram(r) {
  return {
    field: field(r, 'number'),
    interval: r.pick([50, 20, 1000, 12.5]) * r.pick([1, 10]),
    ...r.options({
      offset: [0.2, () => r.pick([3, -2.5])],
      min_doc_count: [0.9, () => r.int(1, 2)],
      keyed: [0.1, () => true],
      order: [0.15, () => r.pick([{ _key: 'desc' }, { _count: 'asc' }])],
      missing: [0.1, () => r.int(0, 99)],
      hard_bounds: [0.08, () => ({ min: 0, max: 500 })],
    }),
  };
}

/** A key that the page before may have ended with, for one source of a composite. */
function keyOf(r, source) {
  const [[name, kind]] = Object.entries(source);
  const [[type, { field: path, interval }]] = Object.entries(kind);
  if (type === 'histogram') return { [name]: interval * r.int(-2, 9) };
  if (type === 'date_histogram') return { [name]: Date.UTC(2019, 12 * r.int(0, 2), 1) };
  const drawn = r.target.fields.find((one) => one.path === path);
  if (/date/.test(drawn.type)) return { [name]: Date.UTC(2020, 0, r.int(1, 300)) };
  if (drawn.type === 'boolean') return { [name]: r.chance(0.5) };
  return { [name]: r.pick(drawn.values) ?? null };
}

/** Composite pages, sources of each kind, sometimes the page after some key. */
function composite(r) {
  const used = new Set();
  const sources = r.list(1, 3, () => {
    const name = `s${used.size}`;
    used.add(name);
    const shared = r.options({ order: [0.3, () => r.pick(['asc', 'desc'])], missing_bucket: [0.2, () => true] });
    const kind = r.weighted([
      [4, () => ({ terms: { field: field(r, 'keyword', 'number', 'date', 'ip', 'boolean'), ...shared } })],
      [1, () => ({ histogram: { field: field(r, 'number'), interval: r.pick([10, 100]), ...shared } })],
      [
        1,
        () => ({
          date_histogram: {
            field: field(r, 'date'),
            calendar_interval: r.pick(['month', 'year']),
            ...shared,
            ...r.options({ time_zone: [0.2, () => r.zone()] }),
          },
        }),
      ],
    ])();
    return { [name]: kind };
  });
  const after = r.chance(0.25) ? Object.assign({}, ...sources.map((source) => keyOf(r, source))) : undefined;
  return { size: r.pick([3, 10, 50]), sources, ...(after === undefined ? {} : { after }) };
}

function numberRanges(r) {
  const keys = r.chance(0.2);
  return r.list(1, 3, () => {
    const from = r.int(-20, 80);
    return {
      ...r.pick([{ from }, { to: from }, { from, to: from + r.int(1, 50) }]),
      ...(keys ? { key: `k${from}` } : {}),
    };
  });
}

function dateRanges(r) {
  return r.list(1, 3, () =>
    r.pick([
      { from: '2019-06-01' },
      { to: '2020-03-01||/M' },
      { from: '2019-02-01', to: '2021-02-01||-1d/d' },
      { from: '2020||+1y', key: 'late' },
    ]),
  );
}

const filterOf = (r) => drawQuery(r, 1);
const keyedBy = (r, make, low, high) =>
  Object.fromEntries(r.list(low, high, (_, at) => [`f${at}`, make()]).map(([, made], at) => [`f${at}`, made]));

const BUCKETS = {
  terms,
  rare_terms: (r) => ({
    field: field(r, 'keyword', 'number'),
    ...r.options({ max_doc_count: [0.6, () => r.int(1, 20)] }),
  }),
  date_histogram: dateHistogram,
  auto_date_histogram: (r) => ({
    field: field(r, 'date'),
    ...r.options({
      buckets: [0.7, () => r.pick([1, 5, 12, 60])],
      time_zone: [0.15, () => r.zone()],
      minimum_interval: [0.1, () => r.pick(['day', 'month'])],
    }),
  }),
  histogram,
  range: (r) => ({ field: field(r, 'number'), ranges: numberRanges(r), ...r.options({ keyed: [0.2, () => true] }) }),
  date_range: (r) => ({
    field: 'at',
    ranges: dateRanges(r),
    ...r.options({
      keyed: [0.2, () => true],
      format: [0.15, () => 'yyyy-MM-dd'],
      time_zone: [0.2, () => r.zone()],
      missing: [0.08, () => '2020-01-01'],
    }),
  }),
  ip_range: (r) => ({
    field: field(r, 'ip'),
    ranges: r.list(1, 3, () =>
      r.pick([
        { mask: '10.1.0.0/16' },
        { from: '10.2.0.0' },
        { to: '10.1.128.0' },
        { from: '10.0.0.0', to: '10.3.0.0', key: 'ten' },
      ]),
    ),
    ...r.options({ keyed: [0.2, () => true] }),
  }),
  geo_distance: (r) => ({
    field: field(r, 'geo'),
    origin: r.writtenPoint(),
    ranges: [{ to: 300 }, { from: 300, to: 1000 }, { from: 1000 }].slice(r.int(0, 2)),
    unit: 'km',
    ...r.options({ distance_type: [0.2, () => 'plane'], keyed: [0.2, () => true] }),
  }),
  geotile_grid: (r) => ({
    field: field(r, 'geo'),
    precision: r.int(0, 12),
    ...r.options({ size: [0.4, () => r.int(1, 30)] }),
  }),
  geohash_grid: (r) => ({
    field: field(r, 'geo'),
    precision: r.int(1, 6),
    ...r.options({ size: [0.4, () => r.int(1, 30)] }),
  }),
  filter: filterOf,
  filters: (r) => ({
    filters: r.chance(0.5) ? r.list(1, 3, () => filterOf(r)) : keyedBy(r, () => filterOf(r), 1, 3),
    ...r.options({ other_bucket_key: [0.2, () => 'rest'], other_bucket: [0.1, () => true] }),
  }),
  adjacency_matrix: (r) => ({
    filters: keyedBy(r, () => filterOf(r), 1, 3),
    ...r.options({ separator: [0.2, () => '|'] }),
  }),
  missing: (r) => ({ field: field(r, 'keyword', 'number', 'date', 'ip', 'geo') }),
  global: () => ({}),
  composite,
  ...FURTHER_BUCKETS,
};

/** Bucket aggregations that take pipelines among their sub-aggregations, and beside them. */
const PIPELINE_PARENTS = ['terms', 'date_histogram', 'histogram', 'range', 'auto_date_histogram', 'filters'];

function subAggregations(r, kind, depth) {
  const subs = drawAggregations(r, depth - 1);
  const metrics = singleValues(subs);
  if ((PIPELINE_PARENTS.includes(kind) || kind === 'composite') && r.chance(0.25)) {
    const [name, body] = pipelines(r, kind, metrics);
    subs[`p_${name}`] = { [name]: body };
  }
  return { subs, metrics };
}

function bucketsOf(r, kind, depth) {
  if (kind === 'nested') {
    const inside = r.target.nestedPaths.filter((path) => r.nested === null || path.startsWith(`${r.nested}.`));
    const path = r.pick(inside);
    return r.within(path, () => {
      const aggs = depth > 0 ? drawAggregations(r, depth - 1) : {};
      if (r.chance(0.3))
        aggs.back = r.within(null, () => ({
          reverse_nested: {},
          ...(depth > 0 ? { aggs: drawAggregations(r, 0) } : {}),
        }));
      return { nested: { path }, ...(Object.keys(aggs).length > 0 ? { aggs } : {}) };
    });
  }
  if (kind === 'join')
    return {
      [r.pick(['children', 'parent'])]: { type: r.pick(['answer', 'remark', 'vote']) },
      ...(depth > 0 && r.chance(0.6) ? { aggs: drawAggregations(r, depth - 1) } : {}),
    };
  const made = { [kind]: BUCKETS[kind](r) };
  if (depth > 0 && r.chance(0.6)) {
    const { subs, metrics } = subAggregations(r, kind, depth);
    made.aggs = subs;
    if (kind === 'terms' && metrics.length > 0 && r.chance(0.3))
      made.terms.order = { [r.pick(metrics)]: r.pick(['asc', 'desc']) };
  }
  return made;
}

/** Kinds that the fields of the index allow. */
function kindsFor(r) {
  const can = (kind) =>
    r.has(NEEDS[kind] ?? (/^date|^auto_date/.test(kind) ? 'date' : kind === 'ip_range' ? 'ip' : 'number')) &&
    (kind !== 'date_range' || (r.nested === null && r.target.has('rankFeature'))) &&
    (!['weighted_avg', 'significant_text', 'sampler', 'diversified_sampler'].includes(kind) || r.nested === null) &&
    (kind !== 'scripted_metric' || (r.nested === null && r.target.has('rankFeature'))) &&
    (kind !== 'global' || r.nested === null);
  const kinds = Object.keys(BUCKETS)
    .filter(can)
    .map((kind) => [kind === 'terms' || kind === 'date_histogram' ? 3 : kind === 'global' ? 0.3 : 1, kind]);
  if (r.target.nestedPaths.some((path) => r.nested === null || path.startsWith(`${r.nested}.`)))
    kinds.push([2, 'nested']);
  if (r.nested === null && r.target.has('rankFeature')) kinds.push([1, 'join']);
  return { buckets: kinds, metrics: Object.keys(METRICS).filter(can) };
}

/** One aggregation of the named kind, or of any. */
export function drawAggregation(r, depth, wanted) {
  const { buckets, metrics } = kindsFor(r);
  const isBucket = wanted === undefined ? r.chance(0.55) : !(wanted in METRICS);
  if (isBucket) {
    const kind = buckets.some(([, kind]) => kind === wanted) ? wanted : r.weighted(buckets);
    return bucketsOf(r, kind, depth);
  }
  const kind = metrics.includes(wanted) ? wanted : r.pick(metrics);
  return { [kind]: METRICS[kind](r) };
}

/** `{name: aggregation}` of one to three, pipelines among them. */
export function drawAggregations(r, depth, wanted) {
  const made = {};
  const count = r.int(1, 2);
  for (let at = 0; at < count; at++) {
    const one = drawAggregation(r, depth, at === 0 ? wanted : undefined);
    const name = `a${at}`;
    made[name] = 'global' in one && depth < 2 ? { filter: { match_all: {} } } : one;
    const [kind] = Object.keys(one);
    if (PIPELINE_PARENTS.includes(kind) && r.chance(0.2))
      made[`s${at}`] = sibling(r, name, singleValues(one.aggs ?? {}));
  }
  return made;
}

export const AGGREGATION_KINDS = [...Object.keys(METRICS), ...Object.keys(BUCKETS), 'nested', 'join'];
