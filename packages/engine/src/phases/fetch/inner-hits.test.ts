/** Inner hits of nested queries, against a search over the objects themselves. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryContext, runQuery, shardSearch } from '../query/memory-searcher.test-support.ts';
import { fetchHits } from './fetch-hits.ts';

const MAPPING = {
  properties: {
    t: { type: 'keyword' },
    c: {
      type: 'nested',
      properties: {
        m: { type: 'text', store: true },
        n: { type: 'long' },
        k: { type: 'nested', properties: { x: { type: 'keyword' } } },
      },
    },
  },
};

const DOCUMENT = {
  t: 'a',
  c: [
    { m: 'hello world', n: 3, k: [{ x: 'p' }, { x: 'q' }] },
    { m: 'hello hello', n: 1, k: { x: 'q' } },
    { m: 'bye', n: 9 },
  ],
};

interface Inner {
  readonly total: unknown;
  readonly max_score: number | null;
  readonly hits: readonly Record<string, unknown>[];
}

type Group = Readonly<Record<string, { readonly hits: Inner }>>;

async function found(docs: readonly object[], query: object, more: object = {}): Promise<readonly Group[]> {
  const all = docs.map((doc, i) => ({ id: String(i), source: JSON.stringify(doc) }));
  const segments = [all.filter((_, i) => i % 2 === 0), all.filter((_, i) => i % 2 === 1)];
  const context = memoryContext(
    MAPPING,
    segments.filter((list) => list.length > 0),
  );
  const body = { query, size: 100, sort: ['_doc'], ...more };
  const { ords } = await runQuery(context, body, { topN: 100 });
  const { request } = shardSearch(body);
  const clock = { monotonicMs: () => 0, wallMs: () => 0 };
  const hits = await fetchHits(context, { ords, request }, { isStopped: false }, clock);
  return hits.map(({ innerHits }) => JSON.parse(Buffer.from(innerHits ?? 'null').toString()));
}

const inC = (query: object, innerHits: object = {}) => ({ nested: { path: 'c', query, inner_hits: innerHits } });
const hello = { match: { 'c.m': { query: 'hello', _name: 'greets' } } };

describe('inner hits of nested queries', () => {
  test('are the nested objects that match, best first', async () => {
    const [shown] = await found([DOCUMENT], inC(hello));
    expect(shown).toEqual({
      c: {
        hits: {
          total: { value: 2, relation: 'eq' },
          max_score: 0.61183906,
          hits: [
            {
              _index: 'test',
              _id: '0',
              _nested: { field: 'c', offset: 1 },
              _score: 0.61183906,
              _source: DOCUMENT.c[1],
              matched_queries: ['greets'],
            },
            {
              _index: 'test',
              _id: '0',
              _nested: { field: 'c', offset: 0 },
              _score: 0.43445712,
              _source: DOCUMENT.c[0],
              matched_queries: ['greets'],
            },
          ],
        },
      },
    });
  });

  test('score as the query inside, whatever the whole is worth', async () => {
    const [plain] = await found([DOCUMENT], inC(hello));
    const boosted = { nested: { path: 'c', query: hello, boost: 0.5, inner_hits: {} } };
    expect(await found([DOCUMENT], boosted)).toEqual([plain]);
  });

  test('by score behind the last one are none, those by a field are counted', async () => {
    const totals = async (options: object) => {
      const [shown] = await found([DOCUMENT], inC(hello, options));
      return [shown?.c?.hits.total, shown?.c?.hits.hits];
    };
    expect(await totals({ from: 2 })).toEqual([{ value: 0, relation: 'eq' }, []]);
    expect(await totals({ from: 2, sort: ['c.n'] })).toEqual([{ value: 2, relation: 'eq' }, []]);
  });

  test('have scores of a sort by fields only where they are tracked', async () => {
    const scores = async (more: object) => {
      const [shown] = await found([DOCUMENT], inC(hello, { sort: ['c.n', '_score'], size: 1, ...more }));
      return shown?.c?.hits.hits.map(({ _score: score }) => score);
    };
    expect(await scores({})).toEqual([null]);
    expect(await scores({ track_scores: true })).toEqual([expect.closeTo(0.61183906, 6)]);
  });

  test('show what is asked for of each', async () => {
    const options = {
      name: 'mine',
      sort: [{ 'c.n': 'asc' }],
      size: 1,
      _source: ['c.m'],
      version: true,
      seq_no_primary_term: true,
      docvalue_fields: ['c.n', '_seq_no'],
      stored_fields: ['c.m', '_source'],
      fields: ['c.k.x'],
      highlight: { fields: { 'c.m': {} } },
      explain: true,
    };
    const [shown] = await found([DOCUMENT], inC(hello, options));
    expect(shown?.mine?.hits).toMatchObject({ total: { value: 2 }, max_score: null });
    expect(shown?.mine?.hits.hits).toEqual([
      {
        _shard: '[test][0]',
        _index: 'test',
        _id: '0',
        _nested: { field: 'c', offset: 1 },
        _version: 1,
        _score: null,
        _source: { m: 'hello hello' },
        fields: { 'c.n': [1], _seq_no: [0], 'c.m': ['hello hello'], 'c.k': [{ x: ['q'] }] },
        highlight: { 'c.m': ['<em>hello</em> <em>hello</em>'] },
        sort: [1],
        matched_queries: ['greets'],
        _explanation: expect.objectContaining({ value: 0.61183906 }),
      },
    ]);
  });

  test('say where objects stand that are nested in nested ones', async () => {
    const query = { nested: { path: 'c.k', query: { term: { 'c.k.x': 'q' } }, inner_hits: {} } };
    const [direct] = await found([DOCUMENT], query);
    const places = direct?.['c.k']?.hits.hits.map(({ _nested }) => _nested);
    expect(places).toEqual([
      { field: 'c', offset: 0, _nested: { field: 'k', offset: 1 } },
      { field: 'c', offset: 1, _nested: { field: 'k', offset: 0 } },
    ]);
    const [around] = await found([DOCUMENT], inC(query, { _source: false }));
    const inner = around?.c?.hits.hits.map(({ inner_hits }) => (inner_hits as Group)['c.k']?.hits.total);
    expect(inner).toEqual([
      { value: 1, relation: 'eq' },
      { value: 1, relation: 'eq' },
    ]);
  });

  test('are empty where a hit matches otherwise, and count without showing any', async () => {
    const either = { bool: { should: [inC(hello), { term: { t: 'b' } }] } };
    const [, other] = await found([DOCUMENT, { t: 'b' }], either);
    expect(other?.c?.hits).toEqual({ total: { value: 0, relation: 'eq' }, max_score: null, hits: [] });
    const [none] = await found([DOCUMENT], inC({ match_all: {} }, { size: 0 }));
    expect(none?.c?.hits).toEqual({ total: { value: 3, relation: 'eq' }, max_score: null, hits: [] });
  });

  test.each([
    ['one name twice', { bool: { must: [inC(hello), inC(hello)] } }, 'already contains an entry for key [c]'],
    ['too large a page', inC(hello, { from: 50, size: 51 }), "definition's [null]'s from + size must be less"],
    ['an unknown option', inC(hello, { foo: 1 }), '[inner_hits] unknown field [foo]'],
    ['a negative size', inC(hello, { size: -1 }), 'failed to parse field [size]'],
    ['a sort without a list', inC(hello, { sort: 'c.n' }), "sort doesn't support values of type: VALUE_STRING"],
    ['what is not built', inC(hello, { collapse: { field: 'c.n' } }), '[collapse]'],
  ])('are refused with %s', async (_, query, message) => {
    await expect(found([DOCUMENT], query)).rejects.toThrow(message);
  });

  test('page through the objects in order, in any segment', async () => {
    const item = fc.record({ n: fc.nat(4), m: fc.constantFrom('hello', 'bye') });
    const docs = fc.array(fc.record({ c: fc.array(item, { maxLength: 6 }) }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(docs, fc.nat(3), fc.integer({ min: 1, max: 4 }), async (sources, from, size) => {
        const options = { from, size, sort: [{ 'c.n': 'desc' }] };
        const all = { bool: { should: [inC(hello, options), { match_all: {} }] } };
        const groups = await found(sources, all);
        const inOrder = [0, 1].flatMap((odd) => sources.filter((_, i) => i % 2 === odd));
        const wanted = inOrder.map(({ c }) => {
          const matching = c.map((one, offset) => ({ ...one, offset })).filter(({ m }) => m === 'hello');
          matching.sort((a, b) => b.n - a.n || a.offset - b.offset);
          return [matching.length, matching.slice(from, from + size).map(({ offset }) => ({ field: 'c', offset }))];
        });
        const shown = groups.map(({ c }) => {
          return [(c?.hits.total as { value: number } | undefined)?.value, c?.hits.hits.map(({ _nested }) => _nested)];
        });
        expect(shown).toEqual(wanted);
      }),
      { numRuns: 30 },
    );
  });
});
