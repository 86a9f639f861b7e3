/** Stored queries over documents of a request, against a search of the same documents. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fetchHits } from '../../../phases/fetch/fetch-hits.ts';
import { idsOf, memoryContext, runQuery, shardSearch } from '../../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    t: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    c: { type: 'nested', properties: { n: { type: 'long' } } },
    q: { type: 'percolator' },
  },
};

const QUERIES = [
  { id: '1', source: '{"q":{"match":{"t":"red fox"}}}' },
  { id: '2', source: '{"q":{"term":{"k":"x"}}}' },
  { id: '3', source: '{"k":"none"}' },
];

const clock = { monotonicMs: () => 0, wallMs: () => 0 };

async function hits(percolate: object, more: object = {}, queries = QUERIES) {
  const body = { query: { percolate: { field: 'q', ...percolate } }, ...more };
  const segments = [queries.slice(0, 1), queries.slice(1)].filter((list) => list.length > 0);
  const context = memoryContext(MAPPING, segments);
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

describe('percolate', () => {
  test('finds the queries that match a document, with its marks', async () => {
    const highlight = { fields: { t: {} } };
    expect(await hits({ document: { t: 'a red dog' } }, { highlight })).toEqual([
      {
        id: '1',
        score: expect.closeTo(0.28768208, 6),
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
        score: expect.closeTo(0.95348072, 6),
        fields: { _percolator_document_slot: [0, 1] },
        highlight: { '0_t': ['a <em>red</em> dog'], '1_t': ['<em>red</em> <em>fox</em>'] },
      },
      { id: '2', score: expect.any(Number), fields: { _percolator_document_slot: [0] }, highlight: null },
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
      fc.constantFrom('red', 'fox').map((t) => ({ match: { t } })),
      fc.nat(5).map((n) => ({ nested: { path: 'c', query: { term: { 'c.n': n } } } })),
      fc.constant({ match_all: {} }),
    );
    const query = fc.oneof(
      leaf,
      fc.record({
        bool: fc.record({ must: fc.array(leaf, { maxLength: 2 }), must_not: fc.array(leaf, { maxLength: 1 }) }),
      }),
    );
    const document = fc.record({
      t: fc.constantFrom('red', 'fox', 'red fox'),
      k: fc.constantFrom('x', 'y', 'z'),
      n: fc.nat(5),
      c: fc.array(fc.record({ n: fc.nat(5) }), { maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(query, { minLength: 1, maxLength: 6 }),
        fc.array(document, { minLength: 1, maxLength: 4 }),
        async (queries, documents) => {
          const stored = queries.map((q, i) => ({ id: String(i), source: JSON.stringify({ q }) }));
          const shown = await hits({ documents }, { size: 100 }, stored);
          const searched = memoryContext(MAPPING, [
            documents.map((doc, i) => ({ id: String(i), source: JSON.stringify(doc) })),
          ]);
          const wanted: [string, number[]][] = [];
          for (const [i, one] of queries.entries()) {
            const { ords } = await runQuery(searched, { query: one, size: 100 });
            if (ords.length > 0) wanted.push([String(i), idsOf(searched, ords).map(Number).sort()]);
          }
          expect(new Map(shown.map(({ id, fields }) => [id, fields._percolator_document_slot]))).toEqual(
            new Map(wanted),
          );
        },
      ),
      { numRuns: 40 },
    );
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
