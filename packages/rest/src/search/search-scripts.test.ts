/** Scripts of searches: queries, scores, sorts and fields. */
import { beforeAll, describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

const MAPPING = {
  properties: {
    n: { type: 'long' },
    d: { type: 'double' },
    k: { type: 'keyword' },
    t: { type: 'text' },
    at: { type: 'date' },
    g: { type: 'geo_point' },
  },
};

let node: TestNode;

beforeAll(async () => {
  node = testNode({ indices: [indexOf('lib', { shards: 1, mapping: MAPPING })] });
  await node.ask(
    'POST',
    '/lib/_bulk?refresh=true',
    lines(
      { index: { _id: '1' } },
      { n: 3, d: 1.5, k: ['b', 'a'], t: 'hello world', at: '2020-01-02T03:04:05Z', g: '1,2' },
      { index: { _id: '2' } },
      { n: 5, t: 'hello' },
      { index: { _id: '3' } },
      { n: 9_007_199_254_740_993n.toString(), d: -2, k: 'c' },
    ),
  );
});

const search = (body: object): ReturnType<TestNode['ask']> => node.ask('POST', '/lib/_search', body);

async function idsOf(body: object): Promise<readonly string[]> {
  const { status, json } = await search(body);
  expect([status, json.error]).toEqual([200, undefined]);
  return json.hits.hits.map((hit: { readonly _id: string }) => hit._id);
}

describe('the query script', () => {
  test.each([
    ["doc['n'].value > 3 && doc['n'].value < 100", ['2']],
    ["doc['n'].value == 9007199254740993L", ['3']],
    ["doc['k'].contains('a')", ['1']],
    ["!doc['d'].empty && doc['d'].value < 0", ['3']],
    ["doc['at'].size() > 0 && doc['at'].value.dayOfWeek == 4 && doc['at'].value.getHour() == 3", ['1']],
    ["doc['g'].size() == 1 && doc['g'].arcDistance(1, 2) < 1", ['1']],
    ["doc.containsKey('zz')", []],
  ])('finds documents of which %s is true', async (script, ids) => {
    const query = { script: { script } };
    expect((await idsOf({ query, sort: 'n' })).toSorted()).toEqual(ids);
    expect((await idsOf({ query: { bool: { must_not: query } } })).toSorted()).toEqual(
      ['1', '2', '3'].filter((id) => !ids.includes(id)),
    );
  });

  test.each([
    ["doc['zz'].value > 3", 'No field found for [zz] in mapping'],
    ["doc['d'].value > 3", "A document doesn't have a value for a field!"],
    ["doc['t'].value == 'a'", 'Text fields are not optimised'],
    ["doc['n'].foo", 'Illegal list shortcut value [foo].'],
    ['1', 'Cannot cast from [int] to [boolean].'],
  ])('%s fails with its cause', async (script, reason) => {
    const { status, json } = await search({ query: { script: { script } } });
    expect(status).toBe(400);
    expect(JSON.stringify(json.error)).toContain(reason);
  });
});

describe('scores by scripts', () => {
  test('of script_score take that of the query, a boost and a least score', async () => {
    const script = { source: "_score * doc['n'].value + params.more", params: { more: 1 } };
    const { json } = await search({
      query: {
        script_score: {
          query: { constant_score: { filter: { match: { t: 'hello' } } } },
          script,
          min_score: 5,
          boost: 2,
        },
      },
    });
    expect(json.hits.hits.map((hit: Record<string, unknown>) => [hit._id, hit._score])).toEqual([
      ['2', 12],
      ['1', 8],
    ]);
  });

  test('of function_score are functions like others', async () => {
    const functions = [
      { script_score: { script: '_score * 3' } },
      { filter: { term: { n: 5 } }, script_score: { script: "doc['n'].value" }, weight: 2 },
    ];
    const query = { constant_score: { filter: { match: { t: 'hello' } } } };
    const { json } = await search({
      query: { function_score: { query, functions, score_mode: 'sum', boost_mode: 'replace' } },
    });
    expect(json.hits.hits.map((hit: Record<string, unknown>) => [hit._id, hit._score])).toEqual([
      ['2', 13],
      ['1', 3],
    ]);
  });

  test.each([
    { script_score: { query: { match_all: {} }, script: { source: '-1' } } },
    { function_score: { script_score: { script: '-1' } } },
  ])('are never negative: %j', async (query) => {
    expect((await search({ query })).status).toBe(400);
  });
});

describe('a sort by a script', () => {
  const sort = (order: string): object => ({
    _script: { type: 'number', script: { source: "doc['n'].value % params.m", params: { m: 4 } }, order },
  });

  test('orders, shows and goes on behind its numbers', async () => {
    const { json } = await search({ sort: sort('desc') });
    expect(json.hits.hits.map((hit: Record<string, unknown>) => [hit._id, hit.sort])).toEqual([
      ['1', [3]],
      expect.anything(),
      expect.anything(),
    ]);
    expect(await idsOf({ sort: [sort('asc'), 'n'] })).toEqual(['2', '3', '1']);
    expect(await idsOf({ sort: [sort('asc'), 'n'], search_after: [1, 5] })).toEqual(['3', '1']);
  });

  test('takes texts as well as numbers, and refuses anything else', async () => {
    const script = { source: "params.p + doc['n'].value", params: { p: 'x' } };
    const { json } = await search({
      query: { exists: { field: 'n' } },
      sort: { _script: { type: 'string', order: 'desc', script } },
    });
    const keys = json.hits.hits.map((hit: { readonly sort: readonly [string] }) => hit.sort[0]);
    expect(keys).toEqual([...keys].sort().reverse());
    expect(keys[0]).toMatch(/^x\d/);
    const { status } = await search({ sort: { _script: { type: 'date', script: "'a'" } } });
    expect(status).toBe(400);
  });
});

describe('script_fields', () => {
  test('show what scripts make, and the source only when it is asked for', async () => {
    const { json } = await search({
      query: { ids: { values: ['1'] } },
      script_fields: {
        twice: { script: "doc['n'].value * 2" },
        list: { script: "doc['k']" },
        source: { script: 'params._source.t' },
        none: { script: 'null' },
        map: { script: "['a': 1.5]" },
        failed: { script: "doc['zz'].value", ignore_failure: true },
      },
    });
    expect(json.hits.hits[0]).toMatchObject({
      fields: { twice: [6], list: ['a', 'b'], source: ['hello world'], none: [null], map: [{ a: 1.5 }] },
    });
    expect(json.hits.hits[0].fields.failed).toBeUndefined();
    expect(json.hits.hits[0]._source).toBeUndefined();
  });

  test('are as many as the index allows', async () => {
    const script_fields = Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`f${i}`, { script: '1' }]));
    const { status, json } = await search({ script_fields });
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toContain('Must be less than or equal to: [32] but was [33]');
  });
});

test('terms_set asks a script how many terms are enough', async () => {
  const terms = (source: string): object => ({
    query: { terms_set: { k: { terms: ['a', 'b', 'c'], minimum_should_match_script: { source } } } },
  });
  expect((await idsOf(terms('2'))).toSorted()).toEqual(['1']);
  expect((await idsOf(terms('params.num_terms - 2'))).toSorted()).toEqual(['1', '3']);
});

test('loops that never end are ended', async () => {
  const { status } = await search({ query: { script: { script: 'int i = 0; while (i < 1) { i-- } return true' } } });
  expect(status).toBe(400);
});
