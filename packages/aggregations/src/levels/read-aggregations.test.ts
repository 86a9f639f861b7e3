import { isShoalError, type JsonObjectNode, parseJsonTree, ValueReader } from '@shoal/core';
import fc from 'fast-check';
import { type Options, Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import type { AggregationLevel } from '../tree/aggregation-node.ts';
import { parseAggregations } from './parse-aggregations.ts';
import { readAggregations } from './read-aggregations.ts';

const parse = (json: string): AggregationLevel =>
  parseAggregations(parseJsonTree(new TextEncoder().encode(json)) as JsonObjectNode);

/** Encodes as messages between nodes are encoded. */
const packOptions = { useRecords: false, encodeUndefinedAsNil: true, moreTypes: false, int64AsType: 'auto' as string };
const packr = new Packr(packOptions as Options);
const decoded = (value: unknown): unknown => packr.unpack(packr.pack(value));
const sent = (value: unknown): AggregationLevel => readAggregations(ValueReader.of(decoded(value)));

const name = fc.constantFrom('a', 'b.c', 'feld_ü');
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '__proto__', '0.00'));
const whole = fc.integer({ min: 0, max: 1_000 });
const positive = fc.integer({ min: 1, max: 1_000 });
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
const scalar: fc.Arbitrary<unknown> = fc.oneof(text, fc.integer(), double, fc.bigInt(), fc.boolean());
type Shape = Record<string, fc.Arbitrary<unknown>>;
const some = (shape: Shape) => fc.record(shape, { requiredKeys: [] as never[] });
const must = (required: Shape, optional: Shape = {}) =>
  fc.tuple(some(optional), fc.record(required)).map(([a, b]) => ({ ...a, ...b }));
const valueType = fc.constantFrom('string', 'long', 'double', 'boolean', 'date', 'ip');
const source = { missing: scalar, format: text, value_type: valueType };
const field = (optional: Shape = {}, required: Shape = {}) =>
  must({ field: name, ...required }, { ...source, ...optional });
const query = fc.oneof(
  fc.constant({ match_all: {} }),
  fc.tuple(name, scalar).map(([on, value]) => ({ term: { [on]: value } })),
  fc.tuple(name, scalar).map(([on, gte]) => ({ range: { [on]: { gte } } })),
);
const direction = fc.constantFrom('asc', 'desc');
const order = fc.oneof(
  fc.tuple(fc.constantFrom('_count', '_key'), direction).map(([by, way]) => ({ [by]: way })),
  fc.constant([{ _count: 'asc' }, { _key: 'desc' }]),
);
const bounds = fc.record({ min: scalar, max: scalar });
const histogramOptions = {
  min_doc_count: whole,
  order,
  keyed: fc.boolean(),
  extended_bounds: bounds,
  hard_bounds: bounds,
};
const dateInterval = fc.oneof(
  fc.constantFrom('1M', 'day', 'quarter').map((calendar_interval) => ({ calendar_interval })),
  fc.constantFrom('90m', '1d', '5').map((fixed_interval) => ({ fixed_interval })),
);
const zone = fc.constantFrom('Europe/Berlin', 'UTC', '+02:00');
const numbers = fc.array(double, { minLength: 1, maxLength: 4 });
const sketch = fc.oneof(
  fc.record({ tdigest: fc.record({ compression: whole }) }),
  fc.record({ hdr: fc.record({ number_of_significant_value_digits: fc.integer({ min: 0, max: 5 }) }) }),
  fc.constant({}),
);
const both = (a: fc.Arbitrary<object>, b: fc.Arbitrary<object>) => fc.tuple(a, b).map(([x, y]) => ({ ...x, ...y }));
const choice = fc.oneof(
  fc.constant({}),
  some({ include: text, exclude: text }),
  some({ include: fc.array(scalar, { maxLength: 3 }), exclude: fc.array(scalar, { maxLength: 3 }) }),
  fc.constant({ include: { partition: 1, num_partitions: 5 } }),
);
const ranges = fc.array(some({ key: text, from: scalar, to: scalar }), { minLength: 1, maxLength: 3 });
const place = fc.constantFrom<unknown>('1,2', [3, 4], { lat: 5, lon: 6.5 });
const box = fc.constantFrom({ top: 5, bottom: 1, left: 170, right: -170 }, { top_left: '9,1', bottom_right: 's' });
const byName = (value: fc.Arbitrary<unknown>) => fc.dictionary(name, value, { minKeys: 1, maxKeys: 3 });

/** Definitions of types, by name; a newer kind has its round trip in a test of its own folder. */
const METRICS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  ...Object.fromEntries(['avg', 'max', 'min', 'stats', 'sum', 'value_count'].map((type) => [type, field()])),
  extended_stats: field({ sigma: whole }),
  cardinality: field({ precision_threshold: whole }),
  percentiles: both(field({ percents: fc.constant([99, 1, 50.5]), keyed: fc.boolean() }), sketch),
  percentile_ranks: both(field({ keyed: fc.boolean() }, { values: numbers }), sketch),
  median_absolute_deviation: field({ compression: positive }),
  geo_bounds: field({ wrap_longitude: fc.boolean() }),
  geo_centroid: field(),
  weighted_avg: must({ value: field(), weight: field() }, { format: text }),
};
const BUCKETS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  adjacency_matrix: must({ filters: byName(query) }, { separator: text }),
  auto_date_histogram: field({ buckets: positive, minimum_interval: fc.constant('day'), time_zone: zone }),
  date_histogram: both(
    field({ ...histogramOptions, time_zone: zone, offset: fc.constantFrom('+6h', '-1d') }),
    dateInterval,
  ),
  date_range: field({ keyed: fc.boolean(), time_zone: zone }, { ranges }),
  filter: query,
  filters: must(
    { filters: fc.oneof(byName(query), fc.array(query, { minLength: 1, maxLength: 3 })) },
    { other_bucket: fc.boolean(), keyed: fc.boolean() },
  ),
  geo_distance: field(
    { keyed: fc.boolean(), unit: fc.constant('mi'), distance_type: fc.constant('plane') },
    { ranges, origin: place },
  ),
  geohash_grid: field({ precision: fc.constantFrom(1, 12, '10km'), size: positive, bounds: box }),
  geotile_grid: field({ precision: fc.constantFrom(0, 29), shard_size: positive }),
  histogram: field({ ...histogramOptions, offset: double }, { interval: positive }),
  ip_range: field({ keyed: fc.boolean() }, { ranges: fc.constant([{ mask: '10.0.0.0/8' }, { to: '::1', key: 'k' }]) }),
  missing: field(),
  range: field({ keyed: fc.boolean() }, { ranges }),
  rare_terms: both(field({ max_doc_count: fc.integer({ min: 1, max: 100 }) }), choice),
  terms: both(
    field({
      size: positive,
      shard_size: positive,
      min_doc_count: whole,
      order,
      show_term_doc_count_error: fc.boolean(),
    }),
    choice,
  ),
};
const compositeTerms = must(
  { field: name },
  { format: text, value_type: valueType, order: direction, missing_bucket: fc.boolean() },
);
const TOP_ONLY: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  global: fc.constant({}),
  composite: fc.tuple(compositeTerms, positive, dateInterval).map(([terms, interval, date]) => ({
    sources: [
      { t: { terms } },
      { h: { histogram: { field: 'n', interval, missing_order: 'last' } } },
      { d: { date_histogram: { field: 'd', ...date } } },
      { g: { geotile_grid: { field: 'g', precision: 9 } } },
    ],
    size: interval,
    after: { t: 'x', h: interval, d: 5, g: '9/1/2' },
  })),
};

type Definition = { readonly definition: object; readonly type: string };
const definitionOf = (types: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Definition> =>
  fc.oneof(
    ...Object.entries(types).map(([type, options]) =>
      fc.record({ definition: options.map((one) => ({ [type]: one })), type: fc.constant(type) }),
    ),
  );
const meta = fc.option(fc.constant({ meta: { owner: ['me', 1e30, 123456789012345678901234567890n] } }), { nil: {} });

const path = { buckets_path: 'm' };
const gaps = { gap_policy: fc.constantFrom('skip', 'insert_zeros', 'keep_values'), format: text };
const within: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  bucket_sort: must({ sort: fc.constant([{ m: { order: 'desc' } }, '_key']) }, { from: whole, size: positive }),
  cumulative_sum: some(gaps).map((options) => ({ ...path, ...options })),
  derivative: some({ ...gaps, unit: fc.constantFrom('day', '90s') }).map((options) => ({ ...path, ...options })),
  serial_diff: some({ ...gaps, lag: positive }).map((options) => ({ ...path, ...options })),
};
const beside: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  ...Object.fromEntries(
    ['avg_bucket', 'max_bucket', 'min_bucket', 'stats_bucket', 'sum_bucket'].map((type) => [type, some(gaps)]),
  ),
  extended_stats_bucket: some({ ...gaps, sigma: whole }),
  percentiles_bucket: some({ ...gaps, percents: fc.constant([0, 99.9]), keyed: fc.boolean() }),
};

const leaf = fc.tuple(definitionOf(METRICS), meta).map(([{ definition }, about]) => ({ ...definition, ...about }));
const inner = fc
  .tuple(definitionOf(BUCKETS), meta, leaf)
  .map(([{ definition }, about, child]) => ({ ...definition, ...about, aggs: { child } }));
const request = fc
  .tuple(definitionOf({ ...BUCKETS, ...TOP_ONLY }), meta, fc.array(fc.oneof(leaf, inner), { maxLength: 3 }))
  .map(([{ definition }, about, children]) => {
    const aggs = Object.fromEntries(children.map((child, i) => [`c${i}`, child]));
    return { top: { ...definition, ...about, aggs } };
  });
const withPipelines = fc
  .tuple(BUCKETS.histogram as fc.Arbitrary<unknown>, definitionOf(within), definitionOf(beside), meta)
  .map(([histogram, parent, sibling, about]) => {
    const [[type = '', options] = []] = Object.entries(sibling.definition);
    return {
      // Pipelines over neighbours want no gaps.
      h: {
        histogram: { ...(histogram as object), min_doc_count: 0 },
        aggs: { m: { max: { field: 'n' } }, p: { ...parent.definition, ...about } },
      },
      s: { [type]: { buckets_path: 'h>m', ...(options as object) } },
    };
  });

const json = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `#${one}#` : one)).replace(
    /"#(-?\d+)#"/g,
    '$1',
  );

describe('aggregations in a message', () => {
  test('come out as they were parsed', () => {
    fc.assert(
      fc.property(fc.oneof(request, withPipelines), (body) => {
        const level = parse(json(body));
        expect(sent(level)).toEqual(level);
      }),
      { numRuns: 1_000 },
    );
  });

  test('with any part replaced are refused, or are other aggregations', () => {
    const junk = fc.oneof(
      fc.constantFrom(null, Number.NaN, -1, 1e300, Infinity, 'x', true, [], {}, ['x'], { kind: 'terms' }),
      fc.constant(new Uint8Array(2)),
    );
    fc.assert(
      fc.property(fc.oneof(request, withPipelines), fc.nat(), junk, (body, at, value) => {
        const message = decoded(parse(json(body)));
        const places: (readonly [Record<string, unknown>, string])[] = [];
        collect(message, places);
        const [holder, key] = places[at % places.length] as (typeof places)[number];
        holder[key] = value;
        try {
          readAggregations(ValueReader.of(message));
        } catch (error) {
          expect(isShoalError(error), String(error)).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('of an adjacency matrix of nothing come out as they were parsed', () => {
    const level = parse('{"a":{"adjacency_matrix":{"filters":{}}}}');
    expect(sent(level)).toEqual(level);
  });

  test.each([
    ['an unknown kind', { kind: 'no_such' }],
    ['a metric with children', { children: [{}] }],
    ['a name that is none', { name: 5 }],
    ['meta that is no JSON', { meta: '{' }],
  ])('with %s are refused', (_, change) => {
    const level = parse('{"a":{"max":{"field":"n"}}}');
    const aggregations = level.aggregations.map((one) => ({ ...one, ...change }));
    expect(() => sent({ ...level, aggregations })).toThrow(/must be/);
  });

  test('too deep or too many are refused', () => {
    const [leafNode] = parse('{"a":{"filter":{"match_all":{}}}}').aggregations;
    let deep: unknown = leafNode;
    for (let i = 0; i < 60; i++) deep = { ...leafNode, children: [deep] };
    expect(() => sent({ aggregations: [deep], pipelines: [] })).toThrow('levels deep');
    const many = Array.from({ length: 10_001 }, () => leafNode);
    expect(() => sent({ aggregations: many, pipelines: [] })).toThrow('at most');
  });
});

function collect(value: unknown, places: (readonly [Record<string, unknown>, string])[]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    places.push([value as Record<string, unknown>, key]);
    collect(item, places);
  }
}
