/** Nearest documents of a shard, against all documents in the order of their scores. */
import { parseQueryBytes } from '@shoal/query';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { executeShardQuery } from '../../../phases/query/execute-query.ts';
import {
  idsOf,
  memoryContext,
  runQuery,
  shardRequest,
  type TestDoc,
} from '../../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    l2: { type: 'dense_vector', dims: 2, index: true, similarity: 'l2_norm' },
    cos: { type: 'dense_vector', dims: 2 },
    dot: { type: 'dense_vector', dims: 2, similarity: 'dot_product', index: true },
    mip: { type: 'dense_vector', dims: 2, similarity: 'max_inner_product' },
    bytes: { type: 'dense_vector', dims: 2, element_type: 'byte', similarity: 'dot_product' },
    off: { type: 'dense_vector', dims: 2, index: false },
    space: { type: 'knn_vector', dimension: 2 },
    angle: { type: 'knn_vector', dimension: 2, space_type: 'cosinesimil' },
    product: {
      type: 'knn_vector',
      dimension: 2,
      method: { name: 'hnsw', engine: 'faiss', space_type: 'innerproduct' },
    },
    n: { type: 'long' },
    unknown: { type: 'dense_vector' },
    parts: { type: 'nested', properties: { v: { type: 'dense_vector', dims: 2, similarity: 'l2_norm' } } },
  },
};

const doc = (id: string, source: object): TestDoc => ({ id, source: JSON.stringify(source) });

async function found(docs: readonly (readonly TestDoc[])[], query: object, isDeleted?: (id: string) => boolean) {
  const context = memoryContext(MAPPING, docs, isDeleted);
  const { ords, columns } = await runQuery(context, { query }, { topN: 100 });
  const [scores] = columns;
  const values = scores?.kind === 'score' ? scores.values : [];
  return idsOf(context, ords).map((id, at) => [id, values[at]] as const);
}

const search = (field: string, vector: readonly number[], more: object = {}) => ({
  knn: { field, query_vector: vector, k: 2, ...more },
});

describe('the nearest documents of a shard', () => {
  test('are those of all segments, whatever was deleted, among those that the filter matches', async () => {
    const coordinate = fc.integer({ min: -20, max: 20 });
    const vectors = fc.array(fc.option(fc.tuple(coordinate, coordinate)), { minLength: 1, maxLength: 30 });
    const k = fc.integer({ min: 1, max: 8 });
    await fc.assert(
      fc.asyncProperty(vectors, fc.tuple(coordinate, coordinate), k, fc.nat(3), async (all, query, limit, parts) => {
        const docs = all.map((l2, at) => doc(`d${at}`, { ...(l2 && { l2 }), n: at % 3 }));
        const segments = Array.from({ length: parts + 1 }, (_, i) => docs.filter((_, at) => at % (parts + 1) === i));
        const isDeleted = (id: string) => id.endsWith('4');
        const filled = segments.filter((list) => list.length > 0);
        const nearest = await found(
          filled,
          search('l2', query, { k: limit, filter: { range: { n: { gt: 0 } } } }),
          isDeleted,
        );
        const naive = all
          .flatMap((v, at) => (v === null || at % 3 === 0 || isDeleted(`d${at}`) ? [] : [v]))
          .map(([x, y]) => Math.fround(1 / (1 + (x - query[0]) ** 2 + (y - query[1]) ** 2)))
          .sort((a, b) => b - a);
        expect(nearest.map(([, score]) => score)).toEqual(naive.slice(0, limit));
      }),
      { numRuns: 40 },
    );
  });

  const SHOWN = [
    [
      doc('a', { cos: [1, 0], dot: [1, 0], mip: [3, 0], bytes: [100, 0] }),
      doc('b', { cos: [-2, 0], dot: [-1, 0], mip: [-3, 0], bytes: [-100, 0] }),
      doc('zero', { cos: [0, 0] }),
    ],
  ];
  test.each([
    [
      'cos',
      [2, 0],
      [
        ['a', 1],
        ['b', 0],
      ],
    ],
    [
      'dot',
      [0.6, 0.8],
      [
        ['a', Math.fround(0.8)],
        ['b', Math.fround(0.2)],
      ],
    ],
    [
      'mip',
      [2, 0],
      [
        ['a', 7],
        ['b', Math.fround(1 / 7)],
      ],
    ],
    [
      'bytes',
      [100, 0],
      [
        ['a', Math.fround(0.5 + 10_000 / 65_536)],
        ['b', Math.fround(0.5 - 10_000 / 65_536)],
      ],
    ],
  ] as const)('have scores by the similarity of %s', async (field, vector, scores) => {
    const hits = await found(SHOWN, search(field, vector, { k: 5 }));
    expect(hits).toEqual(scores.map(([id, score]) => [id, expect.closeTo(score, 6)]));
    const boosted = await found(SHOWN, search(field, vector, { k: 5, boost: 3 }));
    expect(boosted).toEqual(scores.map(([id, score]) => [id, expect.closeTo(score * 3, 5)]));
  });

  test.each([
    ['cos', [1, 0], 0.5],
    ['dot', [1, 0], 0.5],
    ['mip', [1, 0], 2.5],
    ['bytes', [1, 0], 50],
  ] as const)('are no less similar in %s than is asked', async (field, vector, similarity) => {
    expect(await found(SHOWN, search(field, vector, { k: 5, similarity }))).toEqual([['a', expect.any(Number)]]);
  });

  test('are as many as the request has hits and a half more, where the query does not say', async () => {
    const docs = Array.from({ length: 40 }, (_, n) => doc(`d${n}`, { l2: [n, 0] }));
    const { k: _k, ...knn } = search('l2', [0, 0]).knn;
    const run = async (body: object) =>
      (await runQuery(memoryContext(MAPPING, [docs]), body, { topN: 40 })).ords.length;
    expect(await run({ query: { knn } })).toBe(15);
    expect(await run({ query: { knn }, size: 20 })).toBe(30);
    expect(await run({ query: { knn: { ...knn, num_candidates: 7 } } })).toBe(7);
  });

  test('are among those of the alias by which the index is searched', async () => {
    const docs = Array.from({ length: 9 }, (_, n) => doc(`d${n}`, { l2: [n, 0], n: n % 2 }));
    const context = memoryContext(MAPPING, [docs]);
    const aliasFilter = parseQueryBytes(Buffer.from('{"term":{"n":1}}'));
    const request = shardRequest({ query: search('l2', [0, 0]) }, { aliasFilter });
    const clock = { monotonicMs: () => 0, wallMs: () => 0 };
    const { ords } = await executeShardQuery(context, request, { isStopped: false }, clock);
    expect(idsOf(context, ords)).toEqual(['d1', 'd3']);
  });

  test('are those around the nearest nested vectors, each once', async () => {
    const docs = [
      doc('a', { n: 1, parts: [{ v: [1, 0] }, { v: [2, 0] }] }),
      doc('b', { n: 2, parts: [{ v: [3, 0] }] }),
      doc('c', { n: 1, parts: [{ v: [9, 0] }, { v: [5, 0] }] }),
      doc('d', { n: 1 }),
    ];
    const plain = search('parts.v', [0, 0]);
    const expected = [
      ['a', 0.5],
      ['b', Math.fround(0.1)],
    ];
    expect(await found([docs.slice(0, 1), docs.slice(1)], plain)).toEqual(expected);
    expect(await found([docs], { nested: { path: 'parts', query: plain, score_mode: 'max' } })).toEqual(expected);
    const filtered = search('parts.v', [0, 0], { filter: { term: { n: 1 } } });
    expect((await found([docs], filtered)).map(([id]) => id)).toEqual(['a', 'c']);
    expect((await found([docs], plain, (id) => id === 'a')).map(([id]) => id)).toEqual(['b', 'c']);
  });

  test('have no vector whose score would be infinite', async () => {
    const docs = [doc('a', { mip: [1e39, 0] }), doc('b', { mip: [1, 0] })];
    expect(await found([docs], search('mip', [1, 0], { k: 5 }))).toEqual([['b', 2]]);
  });

  test('are none where the index has no such field', async () => {
    expect(await found([[doc('a', { l2: [1, 2] })]], search('nope', [1]))).toEqual([]);
    expect(await found([[doc('a', { l2: [1, 2] })]], search('unknown', [1]))).toEqual([]);
  });

  test.each([
    ['off', [1, 2], 'to perform knn search on field [off], its mapping must have [index] set to [true]'],
    ['n', [1, 2], '[knn] queries are only supported on [dense_vector] fields'],
    ['l2', [1], 'the query vector has a different dimension [1] than the index vectors [2]'],
    ['l2', [1, 1e39], 'element_type [float] vectors do not support infinite values but found [Infinity] at dim [1]'],
    ['cos', [0, 0], 'The [cosine] similarity does not support vectors with zero magnitude.'],
    ['dot', [1, 1], 'The [dot_product] similarity can only be used with unit-length vectors.'],
    ['bytes', [1.5, 1], 'element_type [byte] vectors only support non-decimal values but found decimal value [1.5]'],
    ['bytes', [1, 128], 'element_type [byte] vectors only support integers between [-128, 127] but found [128.0]'],
  ])('of %s near %j are refused', async (field, vector, reason) => {
    await expect(found([[doc('a', { l2: [1, 2] })]], search(field, vector))).rejects.toThrow(reason);
  });
});

describe('the nearest documents by a query that has its field as a member', () => {
  const docs = Array.from({ length: 6 }, (_, n) =>
    doc(`d${n}`, { space: [n, 0], angle: [1, n], product: [n - 3, 0], n }),
  );
  const idsNear = async (field: string, inner: object) =>
    (await found([docs], { knn: { [field]: { vector: [1, 0], ...inner } } })).map(([id]) => id);

  test('are as many as it asks for, among those of its filter', async () => {
    expect(await found([docs], { knn: { space: { vector: [1, 0], k: 2, boost: 2 }, boost: 2 } })).toEqual([
      ['d1', 4],
      ['d0', 2],
    ]);
    expect(await idsNear('angle', { k: 1 })).toEqual(['d0']);
    expect(await idsNear('product', { k: 2, method_parameters: { ef_search: 9 } })).toEqual(['d5', 'd4']);
    expect(await idsNear('space', { k: 2, filter: { range: { n: { gt: 3 } } } })).toEqual(['d4', 'd5']);
    expect(await found([docs], search('space', [1, 0], { k: 1 }))).toEqual([['d1', 1]]);
  });

  test.each([
    ['space', { max_distance: 4 }, ['d1', 'd0', 'd2', 'd3']],
    ['space', { min_score: 0.5 }, ['d1', 'd0', 'd2']],
    ['angle', { max_distance: 0.5 }, ['d0', 'd1']],
    ['product', { max_distance: -1 }, ['d5', 'd4']],
    ['product', { max_distance: 1 }, ['d5', 'd4', 'd3', 'd2']],
  ])('are all in %s within %j', async (field, inner, ids) => {
    expect(await idsNear(field, inner)).toEqual(ids);
  });

  test.each([
    [{ space: { vector: [1, 0] } }, '[knn] requires exactly one of k, distance or score to be set'],
    [{ space: { vector: [1, 0], k: 1, min_score: 1 } }, 'exactly one of k, distance or score to be set'],
    [{ space: { k: 1 } }, '[knn] requires query vector'],
    [{ space: { vector: [1, 0], k: 0 } }, '[knn] requires k to be in the range (0, 10000]'],
    [{ space: { vector: [1, 0], k: 1, foo: 1 } }, '[knn] unknown field [foo]'],
    [{ space: { vector: [1, 0], k: 1 }, n: { vector: [1], k: 1 } }, '[knn] query does not support [n]'],
    [{ space: { vector: [1], k: 1 } }, 'the query vector has a different dimension [1] than the index vectors [2]'],
    [{ space: { vector: [1, 0], k: 1, method_parameters: { foo: 1 } } }, 'unknown method parameter found [foo]'],
  ])('%j is refused', async (knn, reason) => {
    await expect(found([docs], { knn })).rejects.toThrow(reason);
  });
});

describe('documents that all shards found', () => {
  test('are the hits of those that are here, with the scores that they had', async () => {
    const docs = ['a', 'b', 'c'].map((id) => doc(id, { l2: [1, 1] }));
    const context = memoryContext(MAPPING, [docs.slice(0, 1), docs.slice(1)], (id) => id === 'c');
    const request = shardRequest({ query: search('l2', [0, 0]) });
    const { query } = request.search.request;
    if (query.kind !== 'knn') throw new Error('no knn');
    const at = { index: 'test', shard: 0 };
    const list = [
      { ...at, id: 'b', score: 0.5 },
      { ...at, id: 'c', score: 0.4 },
      { ...at, id: 'a', shard: 1, score: 0.3 },
    ];
    const withList = { ...request.search, request: { ...request.search.request, query: { ...query, found: list } } };
    const { ords, columns } = await runQuery(context, {}, { search: withList });
    expect(idsOf(context, ords)).toEqual(['b']);
    expect(columns[0]?.kind === 'score' && [...columns[0].values]).toEqual([0.5]);
  });
});
