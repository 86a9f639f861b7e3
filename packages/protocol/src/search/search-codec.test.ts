import { parseAggregations } from '@shoal/aggregations';
import { isShoalError } from '@shoal/core';
import { parseQueryBytes, parseSearch } from '@shoal/query';
import type { ShardSearch } from '@shoal/shard-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SearchCodec } from './search-codec.ts';

const codec = new SearchCodec();

function parsed(body: unknown): ShardSearch {
  const { request, aggregations } = parseSearch({ body: Buffer.from(JSON.stringify(body)), params: {} });
  return { request, aggregations: aggregations && parseAggregations(aggregations) };
}

/** What travels of a search: groups do, searches within them do not. */
function travelling(search: ShardSearch): ShardSearch {
  const { collapse } = search.request;
  if (collapse === null) return search;
  return { ...search, request: { ...search.request, collapse: { ...collapse, innerHits: [] } } };
}

const name = fc.constantFrom('title', 'tag', 'n', 'na*', 'ä.ö');
const text = fc.string({ maxLength: 8 });
const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const query = fc.oneof(
  fc.tuple(name, text).map(([field, value]) => ({ match: { [field]: value } })),
  fc.tuple(name, fc.array(fc.integer(), { maxLength: 5 })).map(([field, values]) => ({ terms: { [field]: values } })),
  fc.tuple(name, scalar).map(([field, value]) => ({ term: { [field]: { value, _name: 'one' } } })),
  fc.tuple(name, text).map(([field, gte]) => ({ bool: { filter: [{ range: { [field]: { gte } } }], boost: 2.5 } })),
);
const sortField = fc.oneof(
  fc.constantFrom('_score', '_doc', 'n'),
  fc.tuple(name, fc.constantFrom('asc', 'desc'), scalar).map(([field, order, missing]) => ({
    [field]: { order, missing, mode: 'max', unmapped_type: 'long', format: 'epoch_millis' },
  })),
);
const count = fc.nat(1_000_000);
const shown = fc.array(
  fc.oneof(
    name,
    name.map((field) => ({ field, format: 'x' })),
  ),
  { maxLength: 3 },
);
const highlight = fc
  .tuple(name, count, query, fc.constantFrom('unified', 'plain', 'fvh'))
  .map(([field, size, inner, type]) => ({
    fields: { [field]: { fragment_size: size, highlight_query: inner, matched_fields: [field] } },
    type,
    boundary_scanner: 'word',
    boundary_scanner_locale: 'de-DE',
    tags_schema: 'styled',
  }));
const rescore = fc.tuple(query, count, fc.constantFrom('total', 'avg', 'max')).map(([inner, size, mode]) => ({
  window_size: size,
  query: { rescore_query: inner, query_weight: 0.5, rescore_query_weight: 1.5, score_mode: mode },
}));
const collapse = name.map((field) => ({ field, inner_hits: { name: 'rest', size: 2, sort: ['n'] } }));
const aggs = fc.record({
  tags: fc.record({
    terms: name.map((field) => ({ field, size: 7, order: { _key: 'asc' }, missing: 'none' })),
    aggs: fc.constant({ n: { avg: { field: 'n' } }, p: { percentiles: { field: 'n', percents: [1, 99] } } }),
    meta: fc.dictionary(text, scalar, { maxKeys: 3 }),
  }),
  days: fc.constant({ date_histogram: { field: 'at', calendar_interval: 'day', time_zone: 'Europe/Berlin' } }),
  some: query.map((filter) => ({ filter })),
});
const common = {
  query,
  post_filter: query,
  size: count,
  sort: fc.array(sortField, { maxLength: 4 }),
  _source: fc.oneof(fc.boolean(), fc.array(name), fc.record({ includes: fc.array(name), excludes: fc.array(name) })),
  track_total_hits: fc.oneof(fc.boolean(), count),
  track_scores: fc.boolean(),
  min_score: fc.double({ noNaN: true, noDefaultInfinity: true }),
  version: fc.boolean(),
  seq_no_primary_term: fc.boolean(),
  terminate_after: count,
  // The coordinator makes none of '-1' before it packs a request.
  timeout: fc.constantFrom('1s', '20ms'),
  explain: fc.boolean(),
  profile: fc.boolean(),
  indices_boost: fc.array(
    name.map((index) => ({ [index]: 1.5 })),
    { maxLength: 2 },
  ),
  highlight,
  fields: shown,
  docvalue_fields: shown,
  pit: text.map((id) => ({ id: `x${id}`, keep_alive: '1m' })),
  slice: fc.nat(5).map((id) => ({ id, max: id + 2 })),
  aggs,
};
const options = { requiredKeys: [] as never[] };
const bodies = fc.oneof(
  fc.record({ ...common, from: count, rescore: fc.array(rescore, { maxLength: 2 }) }, options),
  fc.record({ ...common, from: count, collapse }, options),
  fc.record({ ...common, sort: fc.constant(['n', '_doc']), pit: fc.constant(undefined) }, options).map((body) => {
    return { ...body, search_after: [1.5, 'x'], sort: ['n', '_doc'], pit: undefined };
  }),
);

/** -0 has no form of its own in a message. */
const positiveZeros = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, inner: unknown) => (inner === 0 ? 0 : inner));

describe('a packed search', () => {
  test('is read as it was parsed', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const search = parsed(positiveZeros(body));
        expect(codec.readSearch(codec.packSearch(search))).toEqual(travelling(search));
      }),
      { numRuns: 300 },
    );
  });

  test('keeps integers of any length', () => {
    const body =
      '{"query":{"term":{"n":18446744073709551615}},"aggs":{"a":{"meta":{"m":[99999999999999999999999]},"avg":{"field":"n"}}}}';
    const { request, aggregations } = parseSearch({ body: Buffer.from(body), params: {} });
    const search = { request, aggregations: aggregations && parseAggregations(aggregations) };
    expect(codec.readSearch(codec.packSearch(search))).toEqual(search);
  });

  test('holds bytes of its own, which later searches leave as they are', () => {
    const first = codec.packSearch(parsed({ query: { match: { title: 'one' } } }));
    const before = Uint8Array.from(first);
    for (let i = 0; i < 100; i++) codec.packSearch(parsed({ query: { match: { title: `other ${i}` } } }));
    expect(first).toEqual(before);
    expect(first.byteLength).toBe(first.buffer.byteLength);
  });
});

test('a packed query is read as it was parsed', () => {
  fc.assert(
    fc.property(query, (one) => {
      const tree = parseQueryBytes(Buffer.from(JSON.stringify(positiveZeros(one))));
      expect(codec.readQuery(codec.packQuery(tree))).toEqual(tree);
    }),
  );
});

describe('bytes that are no packed search', () => {
  const whole = codec.packSearch(parsed({ query: { bool: { must: [{ match: { title: 'x' } }] } }, sort: ['n'] }));

  test('are refused, whatever was changed in them', () => {
    const changes = fc.array(fc.record({ at: fc.nat(whole.length - 1), to: fc.nat(255) }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(changes, fc.nat(whole.length), (changed, length) => {
        const bytes = Uint8Array.from(whole);
        for (const { at, to } of changed) bytes[at] = to;
        for (const given of [bytes, whole.subarray(0, Math.min(length, whole.length - 1))]) {
          try {
            codec.readSearch(given);
          } catch (error) {
            if (!isShoalError(error)) throw error;
            expect(error).toMatchObject({ type: 'malformed_message_exception', status: 400 });
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['announce more entries than they hold', [0xdd, 0xff, 0xff, 0xff, 0xff], 'more entries than it has bytes'],
    ['nest without end', new Array<number>(5_000).fill(0x91), 'nested deeper than 1200'],
    ['are no map', [0xc0], 'must be a map'],
  ])('are refused before anything is made of them when they %s', (_, bytes, reason) => {
    expect(() => codec.readSearch(Uint8Array.from(bytes))).toThrow(reason);
  });
});
