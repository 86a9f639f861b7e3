/** Stored queries over documents of a request, against a search of the same documents. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fetchHits } from '../../../phases/fetch/fetch-hits.ts';
import { idsOf, memoryContext, runQuery, shardSearch } from '../../../phases/query/memory-searcher.test-support.ts';
import { compileQuery } from '../../registry/compile-query.ts';
import { StatisticsCache } from '../../scorers/statistics-cache.ts';
import { Percolation } from './percolation.ts';

const MAPPING = {
  properties: {
    t: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    d: { type: 'date' },
    c: { type: 'nested', properties: { n: { type: 'long' }, k: { type: 'keyword' } } },
    q: { type: 'percolator' },
  },
};

const QUERIES = [
  { id: '1', source: '{"q":{"match":{"t":"red fox"}}}' },
  { id: '2', source: '{"q":{"term":{"k":"x"}}}' },
  { id: '3', source: '{"k":"none"}' },
];

/** Queries that become others by the terms of the documents. */
const EXPANDED = [
  { fuzzy: { t: 'foxy' } },
  { match: { t: { query: 'foxy', fuzziness: 1 } } },
  { prefix: { t: { value: 'fo', rewrite: 'top_terms_2' } } },
  { wildcard: { k: { value: 'y*', rewrite: 'scoring_boolean' } } },
  { match_phrase_prefix: { t: 'red fo' } },
  { nested: { path: 'c', query: { fuzzy: { 'c.k': { value: 'y1', fuzziness: 1 } } } } },
];

const clock = { monotonicMs: () => 0, wallMs: () => 0 };

function contextOf(queries: typeof QUERIES) {
  const segments = [queries.slice(0, 1), queries.slice(1)].filter((list) => list.length > 0);
  return memoryContext(MAPPING, segments);
}

async function hits(percolate: object, more: object = {}, context = contextOf(QUERIES)) {
  const body = { query: { percolate: { field: 'q', ...percolate } }, ...more };
  const { ords, columns } = await runQuery(context, body);
  const found = await fetchHits(context, { ords, request: shardSearch(body).request }, { isStopped: false }, clock);
  const json = (bytes: Uint8Array | null) => (bytes === null ? null : JSON.parse(Buffer.from(bytes).toString()));
  const [scores] = columns;
  return found.map(({ id, fields, highlight }, i) => ({
    id,
    score: scores?.kind === 'score' ? scores.values[i] : null,
    fields: json(fields),
    highlight: json(highlight),
  }));
}

/** Documents that each query matches, by the position of the query; those that match none left out. */
async function searched(queries: readonly object[], documents: readonly object[]): Promise<Map<string, number[]>> {
  const context = memoryContext(MAPPING, [documents.map((doc, i) => ({ id: String(i), source: JSON.stringify(doc) }))]);
  const found = new Map<string, number[]>();
  for (const [i, query] of queries.entries()) {
    const { ords } = await runQuery(context, { query, size: 100 });
    if (ords.length > 0) found.set(String(i), idsOf(context, ords).map(Number).sort());
  }
  return found;
}

describe('percolate', () => {
  test('looks at normalized values', async () => {
    const mapping = { properties: { k: { type: 'keyword', normalizer: 'lowercase' }, q: { type: 'percolator' } } };
    const searched = memoryContext(mapping, [[{ id: '1', source: '{"q":{"term":{"k":"Ab"}}}' }]]);
    const { ords } = await runQuery(searched, { query: { percolate: { field: 'q', document: { k: 'aB' } } } });
    expect(idsOf(searched, ords)).toEqual(['1']);
  });

  test('finds the queries that match a document, with its marks', async () => {
    const highlight = { fields: { t: {} } };
    expect(await hits({ document: { t: 'a red dog' } }, { highlight })).toEqual([
      {
        id: '1',
        score: expect.closeTo(0.13076458, 6),
        fields: { _percolator_document_slot: [0] },
        highlight: { t: ['a <em>red</em> dog'] },
      },
    ]);
  });

  test('tells which of several documents they match', async () => {
    const documents = [{ t: 'a red dog', k: 'x' }, { t: 'red fox' }];
    expect(await hits({ documents, name: 'nm' }, { highlight: { fields: { t: {} } } })).toEqual([
      {
        id: '1',
        score: expect.closeTo(0.43340033, 6),
        fields: { _percolator_document_slot: [0, 1] },
        highlight: { '0_t': ['a <em>red</em> dog'], '1_t': ['<em>red</em> <em>fox</em>'] },
      },
      { id: '2', score: expect.any(Number), fields: { _percolator_document_slot: [0] }, highlight: null },
    ]);
  });

  test('scores by BM25 without its factor, whatever the similarity of a field or the boost of the query', async () => {
    const context = memoryContext(
      { properties: { ...MAPPING.properties, f: { type: 'text', similarity: 'boolean' } } },
      [
        [
          { id: 'word', source: '{"q":{"match":{"t":"fox"}}}' },
          { id: 'flat', source: '{"q":{"match":{"f":{"query":"fox","boost":2}}}}' },
          { id: 'constant', source: '{"q":{"constant_score":{"filter":{"match":{"t":"fox"}},"boost":3}}}' },
        ],
      ],
    );
    const found = await hits({ document: { t: 'the quick brown fox', f: 'fox' }, boost: 2 }, {}, context);
    expect(found.map(({ id, score }) => [id, score])).toEqual([
      ['constant', 3],
      ['flat', expect.closeTo(0.26152915, 6)],
      ['word', expect.closeTo(0.13076458, 6)],
    ]);
  });

  test('names the fields of several percolate queries, and scores nothing in filters', async () => {
    const one = (label: string, k: string) => ({ percolate: { field: 'q', document: { k }, name: label } });
    const query = { bool: { filter: [{ bool: { should: [one('a', 'x'), one('b', 'y')] } }] } };
    const context = memoryContext(MAPPING, [QUERIES]);
    const { ords, columns } = await runQuery(context, { query });
    expect(columns).toEqual([{ kind: 'score', values: new Float32Array(1) }]);
    const { request } = shardSearch({ query });
    const [hit] = await fetchHits(context, { ords, request }, { isStopped: false }, clock);
    expect(JSON.parse(Buffer.from(hit?.fields ?? '').toString())).toEqual({ _percolator_document_slot_a: [0] });
  });

  test('matches what a search of the documents matches', async () => {
    const leaf = fc.oneof(
      fc.nat(5).map((n) => ({ range: { n: { gte: n } } })),
      fc.constantFrom('x', 'y').map((k) => ({ term: { k } })),
      fc.constantFrom('red', 'fox', 'dog fox').map((t) => ({ match: { t } })),
      fc.constantFrom('red fox', 'fox dog').map((t) => ({ match: { t: { query: t, operator: 'and' } } })),
      fc.constantFrom('red fox', 'fox red').map((t) => ({ match_phrase: { t } })),
      fc.constantFrom('x', 'y').map((k) => ({ terms: { k: [k, 'z'] } })),
      ...EXPANDED.map((query) => fc.constant(query)),
      fc.nat(5).map((n) => ({ nested: { path: 'c', query: { term: { 'c.n': n } } } })),
      fc.constantFrom('x', 'y').map((k) => ({ nested: { path: 'c', query: { term: { 'c.k': k } } } })),
      fc.constantFrom(
        { match_all: {} },
        { match: { nowhere: 'red' } },
        { exists: { field: 'k' } },
        { ids: { values: ['0'] } },
      ),
    );
    const leaves = (maxLength: number) => fc.array(leaf, { maxLength });
    const query = fc.oneof(
      leaf,
      fc.record({ bool: fc.record({ must: leaves(2), filter: leaves(1), must_not: leaves(1) }) }),
      fc.record({ bool: fc.record({ should: leaves(3), minimum_should_match: fc.nat(2) }) }),
      fc.record({ bool: fc.record({ filter: leaves(1), should: leaves(2) }) }),
      fc.record({ dis_max: fc.record({ queries: fc.array(leaf, { minLength: 1, maxLength: 2 }) }) }),
      fc.record({ constant_score: fc.record({ filter: leaf }) }),
      fc.record({ boosting: fc.record({ positive: leaf, negative: leaf, negative_boost: fc.constant(0.5) }) }),
    );
    const document = fc.record({
      t: fc.constantFrom('red', 'fox', 'red fox'),
      k: fc.constantFrom('x', 'y', 'z'),
      n: fc.nat(5),
      c: fc.array(fc.record({ n: fc.nat(5), k: fc.constantFrom('x', 'y') }), { maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(query, { minLength: 1, maxLength: 6 }),
        // One after the other over the same segments: which queries need which terms is found once.
        fc.array(fc.array(document, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
        async (queries, requests) => {
          const stored = contextOf(queries.map((q, i) => ({ id: String(i), source: JSON.stringify({ q }) })));
          for (const documents of requests) {
            const shown = await hits({ documents }, { size: 100 }, stored);
            expect(new Map(shown.map(({ id, fields }) => [id, fields._percolator_document_slot]))).toEqual(
              await searched(queries, documents),
            );
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test.each(EXPANDED)('finds %j although it matched nothing at first', async (query) => {
    const stored = contextOf([{ id: '1', source: JSON.stringify({ q: query }) }]);
    expect(await hits({ document: { t: 'none' } }, {}, stored)).toEqual([]);
    const document = { t: 'red fox', k: 'y', c: [{ k: 'y' }] };
    expect(await hits({ document }, {}, stored)).toMatchObject([{ id: '1' }]);
  });

  test.each([
    [{ term: { k: 'x' } }, ['x']],
    [{ match: { t: 'red fox' } }, ['red', 'fox']],
    [{ match_phrase: { t: 'a reddish fox' } }, ['reddish']],
    [{ bool: { filter: [{ range: { n: { gte: 1 } } }, { terms: { k: ['x', 'y'] } }] } }, ['x', 'y']],
    [{ match_none: {} }, []],
    [{ range: { n: { gte: 1 } } }, null],
    [{ range: { d: { gte: '2050-01-01', lte: 'now' } } }, null],
    [{ fuzzy: { t: 'foxy' } }, null],
    [{ match_phrase_prefix: { t: 'red fo' } }, null],
  ])('%j needs one of %j in whatever documents', (query, words) => {
    const stored = contextOf([{ id: '1', source: JSON.stringify({ q: query }) }]);
    const { searcher, mapping, settings, analyzers, index: shard } = stored;
    const statistics = new StatisticsCache(searcher, mapping);
    const ctx = { searcher, mapping, settings, analyzers, shard, statistics, clock: { nowMs: 0 } };
    const percolate = { kind: 'percolate', field: 'q', documents: ['{"t":"fox","k":"x"}'], label: null } as const;
    const percolation = new Percolation(ctx, { ...percolate, name: null, boost: 1 }, compileQuery);
    const [view] = searcher.views;
    const terms = view === undefined ? [] : percolation.requiredTerms(view.segment, 0);
    expect(terms?.map(({ term }) => Buffer.from(term).toString()) ?? null).toEqual(words);
  });

  test.each([
    [{ field: 'k', document: {} }, 'expected field [k] to be of type [percolator], but is of type [keyword]'],
    [{ field: 'zz', document: {} }, 'field [zz] does not exist'],
    [{}, 'Required one of fields [document, documents, id], but none were specified.'],
    [{ document: {}, documents: [{}] }, 'The following fields are not allowed together: [document, documents]'],
    [{ document: 5 }, "[percolate] document doesn't support values of type: VALUE_NUMBER"],
    [{ document: {}, foo: 1 }, '[percolate] unknown field [foo]'],
    [{ index: 'i', id: '1' }, '[percolate] by an [id] is not supported in this place'],
    [{ document: { n: 'x' } }, 'failed to parse field [n]'],
  ])('%j is refused', async (percolate, message) => {
    await expect(hits(percolate)).rejects.toThrow(message);
  });

  test('is the only query that looks at the field', async () => {
    const context = memoryContext(MAPPING, [QUERIES]);
    const all = await runQuery(context, { query: { exists: { field: 'q' } } });
    expect(idsOf(context, all.ords)).toEqual(['1', '2']);
    await expect(runQuery(context, { query: { term: { q: 'query' } } })).rejects.toThrow('not searchable directly');
    await expect(runQuery(context, { sort: 'q' })).rejects.toThrow('[q]');
  });
});

describe('a percolator field', () => {
  test.each([
    ['{"q":5}', '[_na] query malformed, must start with start_object'],
    ['{"q":{"foo":{}}}', 'unknown query [foo]'],
    ['{"q":[{"match_all":{}},{"match_all":{}}]}', 'a document can only contain one percolator query'],
    [
      '{"q":{"bool":{"must":{"has_child":{"type":"a","query":{"match_all":{}}}}}}}',
      'the [has_child] query is unsupported',
    ],
  ])('%s is refused', (source, reason) => {
    expect(() => memoryContext(MAPPING, [[{ id: '9', source }]])).toThrow(
      expect.objectContaining({ causedBy: expect.objectContaining({ reason: expect.stringContaining(reason) }) }),
    );
  });
});
