import { parseMapping } from '@shoal/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf, bucketsIn } from '../../collect/aggregations/aggregation-answer.test-support.ts';
import { DocumentParser } from '../../document/document-parser.ts';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { idsOf, memoryContext, runQuery, shardSearch } from '../../phases/query/memory-searcher.test-support.ts';
import { countedTerm, readCountedTerm } from './counted-numbers.ts';

const MAPPING = { properties: { h: { type: 'histogram' }, k: { type: 'keyword' } } };
const DOCS = [
  { k: 'a', h: { values: [0.5, 1, 5], counts: [3, 0, 2] } },
  { k: 'a', h: { values: [-2, 5, 12.5], counts: [1, 7, 1] } },
  { k: 'b', h: { values: [1], counts: [4] }, _doc_count: 10 },
  { k: 'c' },
];

const answer = (aggs: object) => answerOf(MAPPING, [DOCS.slice(0, 2), DOCS.slice(2)], aggs);

/** Error with such a cause. */
const refusal = (reason: string) =>
  expect.objectContaining({ causedBy: expect.objectContaining({ reason: expect.stringContaining(reason) }) });

describe('a value of a histogram field', () => {
  const parse = (h: unknown, declared: object = {}) => {
    const mapping = parseMapping({ properties: { h: { type: 'histogram', ...declared } } });
    return () => new DocumentParser(mapping).parse('1', Buffer.from(JSON.stringify({ h })));
  };
  test.each([
    [
      { values: [1, 0.5], counts: [1, 1] },
      '[values] values must be in increasing order, got [0.5] but previous value was [1.0]',
    ],
    [{ values: [1], counts: [1, 1] }, 'expected same length from [values] and [counts] but got [1 != 2]'],
    [{ values: [1], counts: [-1] }, '[counts] elements must be >= 0 but got -1'],
    [{ counts: [1] }, 'expected field called [values]'],
    [{ values: [1] }, 'expected field called [counts]'],
    [{ values: [], counts: [], unit: 'ms' }, 'with unknown parameter [unit]'],
    [{ values: ['1'], counts: [1] }, 'expecting token of type [VALUE_NUMBER] but found [VALUE_STRING]'],
    [{ values: 1, counts: [1] }, 'expecting token of type [START_ARRAY] but found [VALUE_NUMBER]'],
    [{ values: [1], counts: [2 ** 31] }, 'out of range of int'],
    [7, 'expecting token of type [START_OBJECT] but found [VALUE_NUMBER]'],
    [
      [
        { values: [1], counts: [1] },
        { values: [2], counts: [1] },
      ],
      "doesn't not support indexing multiple values",
    ],
  ])('%j is refused', (value, reason) => {
    expect(parse(value)).toThrow(refusal(reason));
    if (!Array.isArray(value)) expect(parse(value, { ignore_malformed: true })).not.toThrow();
  });

  test('may not be longer than a column holds', () => {
    const values = Array.from({ length: 4_000 }, (_, i) => i);
    expect(parse({ values, counts: values.map(() => 1) })).toThrow('is too large');
  });

  test('is in its term', () => {
    const pair = fc.tuple(fc.double({ noNaN: true }), fc.integer({ min: 1, max: 2 ** 31 - 1 }));
    fc.assert(
      fc.property(fc.array(pair), (pairs) => {
        const values = Float64Array.from(pairs, ([value]) => value);
        const counts = Uint32Array.from(pairs, ([, count]) => count);
        expect(readCountedTerm(Buffer.from(countedTerm({ values, counts }), 'latin1'))).toEqual({ values, counts });
      }),
    );
  });
});

describe('a histogram field', () => {
  const context = () =>
    memoryContext(MAPPING, [DOCS.map((doc, id) => ({ id: String(id), source: JSON.stringify(doc) }))]);

  test('is found by whether it has a value, and by nothing else', async () => {
    const searched = context();
    const found = await runQuery(searched, { query: { exists: { field: 'h' } } });
    expect(idsOf(searched, found.ords).sort()).toEqual(['0', '1', '2']);
    await expect(runQuery(context(), { query: { term: { h: 1 } } })).rejects.toThrow('do not support searching');
    await expect(runQuery(context(), { query: { range: { h: { gt: 1 } } } })).rejects.toThrow(
      'do not support searching',
    );
    await expect(runQuery(context(), { sort: ['h'] })).rejects.toThrow("can't sort on the [histogram] field");
  });

  test('shows what the document has', async () => {
    const { request } = shardSearch({ fields: ['h'] });
    const page = { ords: Uint32Array.of(0), request };
    const [hit] = await fetchHits(context(), page, { isStopped: false }, { monotonicMs: () => 0, wallMs: () => 0 });
    expect(JSON.parse(Buffer.from(hit?.fields ?? []).toString())).toEqual({ h: [DOCS[0]?.h] });
  });
});

describe('an aggregation of histograms', () => {
  const field = 'h';

  test('counts each value as often as it was met', async () => {
    const one = { value_count: { field }, sum: { field }, avg: { field }, min: { field }, max: { field } };
    const aggs = Object.fromEntries(Object.entries(one).map(([type, options]) => [type, { [type]: options }]));
    const all = await answer({ ...aggs, k: { terms: { field: 'k' }, aggs: { s: { sum: { field } } } } });
    expect(all).toMatchObject({
      value_count: { value: 18 },
      sum: { value: 61 },
      avg: { value: 61 / 18 },
      min: { value: -2 },
      max: { value: 12.5 },
    });
    expect(bucketsIn(all.k).map(({ key, s }) => [key, s?.value])).toEqual([
      ['b', 4],
      ['a', 57],
      ['c', 0],
    ]);
  });

  test('has intervals of values, each document counted at least once for each of them', async () => {
    const { h, r } = await answer({
      h: { histogram: { field, interval: 5, hard_bounds: { min: -5, max: 5 } } },
      r: { range: { field, ranges: [{ to: 1 }, { from: 1, to: 6 }] } },
    });
    expect(bucketsIn(h)).toEqual([
      { key: -5, doc_count: 1 },
      { key: 0, doc_count: 3 + 13 },
      { key: 5, doc_count: 9 },
    ]);
    expect(bucketsIn(r).map(({ doc_count: count }) => count)).toEqual([4, 13 + 9]);
  });

  test('has quantiles of all values', async () => {
    const { p, f, rank, box } = await answer({
      p: { percentiles: { field, percents: [0, 50, 100] } },
      f: { filter: { term: { k: 'b' } }, aggs: { hdr: { percentiles: { field, percents: [90], hdr: {} } } } },
      rank: { percentile_ranks: { field, values: [12.5] } },
      box: { boxplot: { field } },
    });
    expect(p?.values).toMatchObject({ '0.0': -2, '50.0': 5, '100.0': 12.5 });
    expect(f?.hdr?.values).toMatchObject({ '90.0': expect.closeTo(1, 2) });
    expect(rank?.values).toMatchObject({ '12.5': 100 });
    expect(box).toMatchObject({ min: -2, max: 12.5, q2: 5 });
  });

  test.each(['terms', 'stats', 'cardinality', 'extended_stats', 'median_absolute_deviation', 'string_stats'])(
    'of type %s is refused',
    async (type) => {
      const reason = `Field [h] of type [histogram] is not supported for aggregation [${type}]`;
      await expect(answer({ x: { [type]: { field } } })).rejects.toThrow(reason);
    },
  );

  test('takes no missing values, no scripts, and nothing below', async () => {
    await expect(answer({ x: { sum: { field, missing: 1 } } })).rejects.toThrow('missing');
    await expect(answer({ x: { sum: { field, script: '_value' } } })).rejects.toThrow('not supported by scripts');
    const below = { aggs: { y: { sum: { field } } } };
    await expect(answer({ x: { histogram: { field, interval: 5 }, ...below } })).rejects.toThrow(
      'Histogram aggregation on histogram fields does not support sub-aggregations',
    );
    await expect(answer({ x: { range: { field, ranges: [{ to: 1 }] }, ...below } })).rejects.toThrow(
      'Range aggregation on histogram fields does not support sub-aggregations',
    );
  });
});
