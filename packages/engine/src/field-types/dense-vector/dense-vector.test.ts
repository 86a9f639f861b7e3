import { parseMapping } from '@shoal/schema';
import type { SortColumn } from '@shoal/shard-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf } from '../../collect/aggregations/aggregation-answer.test-support.ts';
import { DocumentParser } from '../../document/document-parser.ts';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { idsOf, memoryContext, runQuery, shardSearch } from '../../phases/query/memory-searcher.test-support.ts';
import { copyVector, vectorTerm } from './vector-terms.ts';

const mappingOf = (dims: number) => ({ properties: { v: { type: 'dense_vector', dims }, n: { type: 'long' } } });
const MAPPING = mappingOf(3);
const DOCS = [{ v: [1, 2, 2.5] }, { v: [-1, 0, 4] }, { n: 7 }];

const context = () =>
  memoryContext(MAPPING, [
    DOCS.slice(0, 1).map((doc, id) => ({ id: String(id), source: JSON.stringify(doc) })),
    DOCS.slice(1).map((doc, id) => ({ id: String(id + 1), source: JSON.stringify(doc) })),
  ]);

const scored = (source: string, v: unknown) => ({
  query: { script_score: { query: { exists: { field: 'v' } }, script: { source, params: { v } } } },
});

function scoresIn([column]: readonly SortColumn[]): Float32Array {
  if (column?.kind !== 'score') throw new Error('hits are not sorted by score');
  return column.values;
}

/** Scores by id. */
async function scores(source: string, v: unknown): Promise<Record<string, number>> {
  const searched = context();
  const { ords, columns } = await runQuery(searched, scored(source, v));
  const found = scoresIn(columns);
  return Object.fromEntries(idsOf(searched, ords).map((id, at) => [id, found[at] ?? Number.NaN]));
}

/** Error with such a cause. */
const refusal = (reason: string) =>
  expect.objectContaining({ causedBy: expect.objectContaining({ reason: expect.stringContaining(reason) }) });

describe('a declaration of a dense vector', () => {
  const declare = (declared: object) => () =>
    parseMapping({ properties: { v: { type: 'dense_vector', ...declared } } });
  test.each([
    [{ dims: 0 }, 'The number of dimensions for field [v] should be in the range [1, 4096] but was [0]'],
    [{ dims: -3 }, 'The number of dimensions for field [v] should be in the range [1, 4096] but was [-3]'],
    [{ dims: 4097 }, 'The number of dimensions for field [v] should be in the range [1, 4096] but was [4097]'],
    [{ dims: 3, index: 'x' }, 'Failed to parse value [x] as only [true] or [false] are allowed.'],
    [{ dims: 3, similarity: 'near' }, 'Unknown value [near] for field [similarity] of mapper [v]'],
    [{ dims: 3, element_type: 'bit' }, 'Unknown value [bit] for field [element_type] of mapper [v]'],
    [
      { dims: 3, index: false, similarity: 'cosine' },
      'Field [similarity] can only be specified for a field of type [dense_vector] when it is indexed',
    ],
    [
      { dims: 3, index: false, index_options: { type: 'flat' } },
      'Field [index_options] can only be specified for a field of type [dense_vector] when it is indexed',
    ],
    [{ dims: 3, index_options: { m: 3 } }, '[index_options] requires field [type] to be configured'],
    [{ dims: 3, index_options: { type: 'tree' } }, 'Unknown vector index options type [tree]'],
    [{ dims: 3, index_options: { type: 'flat', m: 3 } }, 'has unsupported parameters:  [m : 3]'],
  ])('%j is refused', (declared, reason) => {
    expect(declare(declared)).toThrow(reason);
  });

  test.each([1, 4096])('takes %i numbers', (dims) => {
    expect(declare({ dims })().json).toEqual({ properties: { v: { type: 'dense_vector', dims } } });
  });

  test('says how vectors are searched', () => {
    const how = { index: true, similarity: 'l2_norm', index_options: { type: 'hnsw', m: 16, ef_construction: 100 } };
    expect(declare({ dims: 3, ...how })().json).toEqual({
      properties: { v: { type: 'dense_vector', dims: 3, ...how } },
    });
  });
});

describe('a declaration of a knn_vector', () => {
  const declare = (declared: object) => () => parseMapping({ properties: { v: { type: 'knn_vector', ...declared } } });
  test.each([
    [{}, 'Dimension value missing for vector: v'],
    [{ dimension: 0 }, 'Dimension value must be greater than 0'],
    [{ dimension: 16_001 }, 'at most [16000] for vector: v, but was [16001]'],
    [{ dimension: 2, space_type: 'l1' }, 'Unknown value [l1] for field [space_type]'],
    [{ dimension: 2, data_type: 'binary' }, 'Unknown value [binary] for field [data_type]'],
    [{ dimension: 2, model_id: 'x' }, 'unknown parameter [model_id] on mapper [v] of type [knn_vector]'],
    [{ dimension: 2, method: { name: 'tree' } }, 'the method [tree] is not supported by this server'],
    [{ dimension: 2, method: { name: 'hnsw', space_type: 'hamming' } }, 'the space type [hamming] is not supported'],
    [{ dimension: 2, method: { name: 'hnsw', engine: 'x' } }, 'the engine [x] is not supported by this server'],
    [{ dimension: 2, method: { foo: 1 } }, 'Invalid parameter for [method]: foo'],
  ])('%j is refused', (declared, reason) => {
    expect(declare(declared)).toThrow(reason);
  });

  test('is shown as it was made', () => {
    const method = { name: 'hnsw', engine: 'nmslib', space_type: 'l2', parameters: { m: 16 } };
    const v = { type: 'knn_vector', dimension: 2, method };
    expect(declare(v)().json).toEqual({ properties: { v } });
  });
});

describe('a value of a dense vector', () => {
  const parse = (v: unknown) => () =>
    new DocumentParser(parseMapping(MAPPING)).parse('d1', Buffer.from(JSON.stringify({ v })));
  test.each([
    [[1, 2], 'of doc [d1] has number of dimensions [2] less than defined in the mapping [3]'],
    [[], 'of doc [d1] has number of dimensions [0] less than defined in the mapping [3]'],
    [[1, 2, 3, 4], 'of doc [d1] has exceeded the number of dimensions [3] defined in mapping'],
    [[1, '2', 3], 'expecting token of type [VALUE_NUMBER] but found [VALUE_STRING]'],
    [[1, null, 3], 'expecting token of type [VALUE_NUMBER] but found [VALUE_NULL]'],
    [[[1, 2, 3]], 'expecting token of type [VALUE_NUMBER] but found [START_ARRAY]'],
    [7, 'expecting token of type [START_ARRAY] but found [VALUE_NUMBER]'],
  ])('%j is refused', (value, reason) => {
    expect(parse(value)).toThrow(refusal(reason));
  });

  const parseIn = (declared: object, v: unknown) => () =>
    new DocumentParser(parseMapping({ properties: { v: { type: 'dense_vector', dims: 3, ...declared } } })).parse(
      'd1',
      Buffer.from(JSON.stringify({ v })),
    );
  test('without a length is refused where it is indexed by its direction', () => {
    const reason = 'The [cosine] similarity does not support vectors with zero magnitude.';
    expect(parseIn({ index: true }, [0, 0, 0])).toThrow(
      refusal(`${reason} Preview of invalid vector: [0.0, 0.0, 0.0]`),
    );
    expect(parseIn({}, [0, 0, 0])).not.toThrow();
    expect(parseIn({ index: true, similarity: 'l2_norm' }, [0, 0, 0])).not.toThrow();
  });

  test('that no float holds is refused where it is indexed', () => {
    const reason = 'element_type [float] vectors do not support infinite values but found [Infinity] at dim [1]';
    expect(parseIn({ index: true, similarity: 'l2_norm' }, [1, 1e39, 0])).toThrow(refusal(reason));
    expect(parseIn({}, [1, 1e39, 0])).not.toThrow();
  });

  test('of another length than 1 is refused where its product is all that counts', () => {
    const dot = { index: true, similarity: 'dot_product' };
    expect(parseIn(dot, [1, 1, 0])).toThrow(refusal('can only be used with unit-length vectors.'));
    expect(parseIn(dot, [0.6, 0.8, 0])).not.toThrow();
    expect(parseIn({ ...dot, element_type: 'byte' }, [1, 1, 0])).not.toThrow();
  });

  test.each([[[1, 2.5, 3]], [[1, 2, 128]], [[1, -129, 0]]])('of bytes has no %j', (v) => {
    expect(parseIn({ element_type: 'byte' }, v)).toThrow(refusal('element_type [byte] vectors only support'));
  });

  test('says how long all are, where the mapping does not', () => {
    const declared = { type: 'dense_vector', index: true, similarity: 'l2_norm' };
    const parser = new DocumentParser(parseMapping({ properties: { o: { properties: { v: declared } } } }));
    const { mappingUpdate } = parser.parse('1', Buffer.from('{"o":{"v":[1,2,3]}}'));
    expect(mappingUpdate).toEqual({ properties: { 'o.v': { ...declared, dims: 3 } } });
  });

  test('is the only one of its document', () => {
    const mapping = parseMapping({ properties: { o: MAPPING } });
    const source = Buffer.from(JSON.stringify({ o: [DOCS[0], DOCS[1]] }));
    expect(() => new DocumentParser(mapping).parse('1', source)).toThrow(
      refusal("doesn't not support indexing multiple values for the same field in the same document"),
    );
  });

  test('is in its term, whatever byte that begins at', () => {
    fc.assert(
      fc.property(fc.array(fc.float(), { minLength: 1, maxLength: 40 }), fc.nat(3), (numbers, offset) => {
        const bytes = Buffer.from('x'.repeat(offset) + vectorTerm(numbers), 'latin1').subarray(offset);
        const read = new Float32Array(numbers.length);
        copyVector(bytes, read);
        expect(read).toEqual(Float32Array.from(numbers));
      }),
    );
  });
});

describe('a dense vector field', () => {
  test('is found by whether it has a value, and by nothing else', async () => {
    const searched = context();
    const found = await runQuery(searched, { query: { exists: { field: 'v' } } });
    expect(idsOf(searched, found.ords).sort()).toEqual(['0', '1']);
    await expect(runQuery(context(), { query: { term: { v: 1 } } })).rejects.toThrow(
      "Field [v] of type [dense_vector] doesn't support queries",
    );
    await expect(runQuery(context(), { query: { range: { v: { gt: 1 } } } })).rejects.toThrow('range queries');
    await expect(runQuery(context(), { sort: ['v'] })).rejects.toThrow("can't sort on the vector field");
  });

  test.each(['terms', 'value_count', 'sum', 'cardinality'])('is not taken by the aggregation %s', async (type) => {
    await expect(answerOf(MAPPING, [DOCS], { x: { [type]: { field: 'v' } } })).rejects.toThrow(
      "Field [v] of type [dense_vector] doesn't support docvalue_fields or aggregations",
    );
  });

  const fetched = (body: object) => {
    const page = { ords: Uint32Array.of(0), request: shardSearch(body).request };
    return fetchHits(context(), page, { isStopped: false }, { monotonicMs: () => 0, wallMs: () => 0 });
  };

  test('shows its numbers as values of "fields", and none of its column', async () => {
    const [hit] = await fetched({ fields: ['v'] });
    expect(JSON.parse(Buffer.from(hit?.fields ?? []).toString())).toEqual({ v: [1, 2, 2.5] });
    await expect((async () => fetched({ docvalue_fields: ['v'] }))()).rejects.toThrow(
      "doesn't support docvalue_fields",
    );
  });
});

describe('a script of scores', () => {
  const query = [0.5, -1, 3];

  test.each([
    [
      'cosineSimilarity(params.v, "v") + 1',
      [1 + 6 / (Math.sqrt(10.25) * Math.sqrt(11.25)), 1 + 11.5 / (Math.sqrt(10.25) * Math.sqrt(17))],
    ],
    ['dotProduct(params.v, "v")', [6, 11.5]],
    ['l1norm(params.v, "v")', [4, 3.5]],
    ['l2norm(params.v, "v")', [Math.sqrt(9.5), Math.sqrt(4.25)]],
    ["l2Squared(params.v, doc['v'])", [9.5, 4.25]],
    ["l1Norm(params.v, doc['v'])", [4, 3.5]],
    ["lInfNorm(params.v, doc['v'])", [3, 1.5]],
    ["innerProduct(params.v, doc['v'])", [6, 11.5]],
    ['1 / (1 + l2norm(params.v, "v"))', [1 / (1 + Math.sqrt(9.5)), 1 / (1 + Math.sqrt(4.25))]],
    ["doc['v'].magnitude", [Math.sqrt(11.25), Math.sqrt(17)]],
    ["doc['v'].vectorValue[2] * 2 + doc['v'].vectorValue.length", [8, 11]],
    ["doc['v'].size()", [1, 1]],
    ["double s = 0; for (float f : doc['v'].vectorValue) { s += f * f } return s", [11.25, 17]],
    ['[params.v].stream().mapToDouble(x -> dotProduct(x, "v")).sum()', [6, 11.5]],
  ])('%s', async (source, [first = 0, second = 0]) => {
    const found = await scores(source, query);
    expect(found['0']).toBeCloseTo(first, 5);
    expect(found['1']).toBeCloseTo(second, 5);
  });

  test('has products of floats, summed as doubles', async () => {
    const number = fc.float({ noNaN: true, min: -1000, max: 1000 });
    const vectors = fc.integer({ min: 1, max: 20 }).chain((dims) => {
      const vector = fc.array(number, { minLength: dims, maxLength: dims });
      return fc.tuple(vector, vector);
    });
    await fc.assert(
      fc.asyncProperty(vectors, async ([a, b]) => {
        const searched = memoryContext(mappingOf(a.length), [[{ id: '1', source: JSON.stringify({ v: a }) }]]);
        const found = await runQuery(searched, scored('Math.abs(dotProduct(params.v, "v"))', b));
        const sum = a.reduce((total, value, at) => total + Math.fround(value * (b[at] ?? 0)), 0);
        expect(scoresIn(found.columns)[0]).toBe(Math.fround(Math.abs(sum)));
      }),
      { numRuns: 30 },
    );
  });

  const failure = async (source: string, v: unknown, over: object = { exists: { field: 'v' } }) => {
    const body = { query: { script_score: { query: over, script: { source, params: { v } } } } };
    return runQuery(context(), body).then(
      () => null,
      (error: unknown) => error,
    );
  };

  test.each([
    [
      'dotProduct(params.v, "v")',
      [1, 2],
      'The query vector has a different number of dimensions [2] than the document vectors [3].',
    ],
    ['dotProduct(params.v, "n")', query, 'cannot be cast to class'],
    ['dotProduct(params.v, "nope")', query, 'No field found for [nope] in mapping'],
    ['dotProduct(params.v, "v")', [1, 'x', 2], 'class java.lang.String cannot be cast to class java.lang.Number'],
    ["doc['v'].value", query, "accessing a vector field's value through 'get' or 'value' is not supported"],
    ["doc['v'].get(0)", query, "accessing a vector field's value through 'get' or 'value' is not supported"],
  ])('%s with %j is refused', async (source, v, reason) => {
    expect(await failure(source, v)).toMatchObject({
      type: 'script_exception',
      metadata: { script_stack: expect.arrayContaining([expect.stringContaining('HERE')]) },
      causedBy: { reason: expect.stringContaining(reason) },
    });
  });

  test.each(['dotProduct(params.v, "v")', "doc['v'].magnitude", "doc['v'].vectorValue[0]"])(
    '%s of a document without a vector is refused, which size() tells',
    async (source) => {
      const reason = "A document doesn't have a value for a vector field!";
      expect(await failure(`Math.abs(${source})`, query, { match_all: {} })).toMatchObject({ causedBy: { reason } });
      expect(await failure(`doc['v'].size() == 0 ? 0 : Math.abs(${source})`, query, { match_all: {} })).toBeNull();
    },
  );
});
