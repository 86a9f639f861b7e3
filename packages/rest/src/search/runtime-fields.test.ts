/** Runtime fields: found, sorted, aggregated and shown like indexed ones, and made of no more documents than need be. */
import { beforeAll, describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

const WORDS = ['ape', 'apple', 'bat', 'cat', 'dog'];
const each = (field: string, emitted = 'v'): object => ({
  source: `for (v in doc['${field}']) { emit(${emitted}) }`,
});
const MAPPING = {
  properties: {
    k: { type: 'keyword' },
    n: { type: 'long' },
    d: { type: 'date' },
    b: { type: 'boolean' },
    i: { type: 'ip' },
    g: { type: 'geo_point' },
    u: { type: 'keyword' },
  },
  runtime: {
    rk: { type: 'keyword', script: each('k') },
    rn: { type: 'long', script: each('n') },
    rd: { type: 'date', script: each('d', 'v.toInstant().toEpochMilli()') },
    rb: { type: 'boolean', script: each('b') },
    ri: { type: 'ip', script: each('i') },
    rg: { type: 'geo_point', script: { source: "for (v in doc['g']) { emit(v.lat, v.lon) }" } },
    half: { type: 'double', script: "emit(doc['n'].value / 2.0)" },
    fails: { type: 'long', script: "if (doc['k'].size() == 0) { throw new RuntimeException('no k') } emit(1)" },
    plain: { type: 'long' },
  },
};

let node: TestNode;

beforeAll(async () => {
  const stored = { q: { type: 'percolator' }, n: { type: 'long' } };
  const percolated = { properties: stored, runtime: { twice: { type: 'long', script: each('n', 'v * 2') } } };
  const dynamic = { dynamic: 'runtime', runtime: { day: { type: 'long' } } };
  node = testNode({
    indices: [
      indexOf('docs', { shards: 3, mapping: MAPPING }),
      indexOf('free', { shards: 1, mapping: dynamic }),
      indexOf('queries', { shards: 1, mapping: percolated }),
    ],
  });
  const actions = Array.from({ length: 60 }, (_, i) => [
    { index: { _id: String(i) } },
    {
      u: `u${i}`,
      ...(i % 4 > 0 && { k: i % 7 === 0 ? [WORDS[i % 2], WORDS[2 + (i % 3)]] : WORDS[i % 5] }),
      n: (i * 7) % 20,
      d: 1_600_000_000_000 + i * 3_600_000,
      b: i % 3 === 0,
      i: `10.0.${i % 3}.${i}`,
      g: { lat: i - 30, lon: i * 2 },
      plain: i % 2 === 0 ? String(i) : 'none',
    },
  ]);
  await node.ask('POST', '/docs/_bulk', lines(...actions.slice(0, 30).flat()));
  await node.ask('POST', '/docs/_refresh');
  await node.ask('POST', '/docs/_bulk?refresh=true', lines(...actions.slice(30).flat()));
  await node.ask('DELETE', '/docs/_doc/5?refresh=true');
});

const search = (body: object): ReturnType<TestNode['ask']> =>
  node.ask('POST', '/docs/_search', { size: 100, sort: [{ u: 'asc' }], _source: false, ...body });

/** The same of the indexed fields. */
const indexed = (body: object): object => JSON.parse(JSON.stringify(body).replace(/"r([kndbig])"/g, '"$1"'));

const ids = (json: { hits: { hits: { _id: string }[] } }): string[] => json.hits.hits.map(({ _id }) => _id);

describe('a query finds by a runtime field what it finds by an indexed one', () => {
  test.each<object>([
    { term: { rk: 'ape' } },
    { terms: { rk: ['bat', 'cat'] } },
    { prefix: { rk: 'ap' } },
    { wildcard: { rk: '*at' } },
    { regexp: { rk: 'ap.*' } },
    { fuzzy: { rk: 'aple' } },
    { match: { rk: 'dog' } },
    { query_string: { query: 'cat OR bat', fields: ['rk'] } },
    { exists: { field: 'rk' } },
    { range: { rn: { gte: 3, lt: 9 } } },
    { terms: { rn: [1, 2, 30] } },
    { range: { rd: { gte: '2020-09-14', lt: '2020-09-15' } } },
    { term: { rb: true } },
    { term: { ri: '10.0.1.0/24' } },
    { range: { ri: { gte: '10.0.1.3', lt: '10.0.2.0' } } },
    { geo_bounding_box: { rg: { top: 10, left: 10, bottom: -10, right: 60 } } },
    { geo_distance: { distance: '2000km', rg: { lat: 0, lon: 60 } } },
    { bool: { must: [{ term: { rk: 'ape' } }], must_not: [{ range: { rn: { gt: 10 } } }] } },
    { bool: { should: [{ term: { rk: 'ape' } }, { term: { n: 3 } }] } },
  ])('%j', async (query) => {
    const [made, kept] = [await search({ query }), await search({ query: indexed(query) })];
    expect(made.status).toBe(200);
    expect(ids(made.json)).toEqual(ids(kept.json));
    expect(ids(made.json).length).toBeGreaterThan(0);
  });
});

describe('a runtime field', () => {
  test.each<object>([
    { aggs: { a: { terms: { field: 'rk' }, aggs: { s: { sum: { field: 'rn' } } } } } },
    { aggs: { a: { date_histogram: { field: 'rd', calendar_interval: 'day' } } } },
    { aggs: { a: { global: {}, aggs: { t: { terms: { field: 'rk' } } } } }, query: { term: { rk: 'ape' } } },
    { aggs: { a: { geo_bounds: { field: 'rg' } } }, query: { term: { rb: true } } },
    {
      aggs: { a: { significant_terms: { field: 'rn', min_doc_count: 1, percentage: {} } } },
      query: { bool: { filter: [{ range: { n: { lt: 10 } } }, { term: { b: true } }] } },
    },
    {
      aggs: { a: { cardinality: { field: 'ri' } }, m: { missing: { field: 'rk' } } },
      post_filter: { term: { rn: 3 } },
    },
  ])('is aggregated: %j', async (body) => {
    const [made, kept] = [await search({ size: 0, ...body }), await search({ size: 0, ...indexed(body) })];
    expect(made.status).toBe(200);
    expect(made.json.aggregations).toEqual(kept.json.aggregations);
  });

  test.each<object>([
    { sort: [{ rn: 'desc' }, { u: 'asc' }] },
    { sort: [{ rk: { order: 'asc', missing: '_first' } }, { u: 'asc' }] },
    { sort: [{ rd: 'desc' }], query: { term: { rb: true } } },
    { sort: [{ _geo_distance: { rg: [0, 0], order: 'asc' } }] },
    { collapse: { field: 'rn' }, sort: [{ u: 'asc' }] },
  ])('orders and groups hits: %j', async (body) => {
    const [made, kept] = [await search(body), await search(indexed(body))];
    expect(made.status).toBe(200);
    expect(made.json.hits.hits.map((hit: { sort: unknown }) => hit.sort)).toEqual(
      kept.json.hits.hits.map((hit: { sort: unknown }) => hit.sort),
    );
    expect(ids(made.json)).toEqual(ids(kept.json));
  });

  test('is shown in the form of its type', async () => {
    const { json } = await search({ query: { ids: { values: ['9'] } }, fields: ['r*', 'half'] });
    expect(json.hits.hits[0].fields).toMatchObject({
      rk: ['dog'],
      rn: [3],
      rd: ['2020-09-13T21:26:40.000Z'],
      rb: [true],
      ri: ['10.0.0.9'],
      half: [1.5],
    });
  });

  test('without a script has the values of its name in the source, but for those that are none of its type', async () => {
    const { json } = await search({ query: { range: { plain: { gte: 50 } } } });
    expect(ids(json)).toEqual(['50', '52', '54', '56', '58']);
  });

  test('scores every match alike', async () => {
    const { json } = await search({ query: { term: { rk: { value: 'ape', boost: 3 } } }, sort: ['_score'] });
    expect(json.hits.max_score).toBe(3);
  });

  test('is read by scripts, of other fields too, but not by its own', async () => {
    const twice = { type: 'long', script: "emit(doc['rn'].value * 2)" };
    const { json } = await search({ runtime_mappings: { twice }, query: { term: { twice: 6 } }, fields: ['twice'] });
    expect(json.hits.hits.every((hit: { fields: object }) => JSON.stringify(hit.fields) === '{"twice":[6]}')).toBe(
      true,
    );
    expect(ids(json).length).toBeGreaterThan(0);
    const loop = { type: 'long', script: "emit(doc['loop'].value)" };
    const refused = await search({ runtime_mappings: { loop }, query: { term: { loop: 1 } } });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.json)).toContain(
      'Cyclic dependency detected while resolving runtime fields: loop -> loop',
    );
  });

  test('of a search hides one of the mapping', async () => {
    const { json } = await search({
      runtime_mappings: { k: { type: 'long', script: 'emit(7)' } },
      query: { term: { k: 7 } },
    });
    expect(json.hits.total.value).toBe(59);
  });

  test('is not made of documents that other clauses rule out', async () => {
    const fails = await search({ query: { term: { fails: 1 } } });
    expect(fails).toMatchObject({ status: 400, json: { error: { root_cause: [{ type: 'script_exception' }] } } });
    const { status, json } = await search({
      query: { bool: { filter: [{ exists: { field: 'k' } }, { term: { fails: 1 } }] } },
    });
    expect(status).toBe(200);
    expect(ids(json).length).toBeGreaterThan(30);
  });

  test('has no more values than there may be', async () => {
    const many = { type: 'long', script: 'for (int i = 0; i < 101; i++) { emit(i) }' };
    const { status, json } = await search({ runtime_mappings: { many }, query: { exists: { field: 'many' } } });
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toContain(
      'Runtime field [many] is emitting [101] values while the maximum number of values allowed is [100]',
    );
  });
});

describe('runtime fields of a document that is percolated', () => {
  test('are looked at by stored queries', async () => {
    const queries = [
      { range: { twice: { gte: 10 } } },
      { term: { twice: 4 } },
      { term: { twice: 10 } },
      { exists: { field: 'twice' } },
    ];
    const actions = queries.map((q, i) => [{ index: { _id: String(i) } }, { q }]);
    await node.ask('POST', '/queries/_bulk?refresh=true', lines(...actions.flat()));
    const query = { percolate: { field: 'q', document: { n: 5 } } };
    const { json } = await node.ask('POST', '/queries/_search', { query, sort: ['_doc'] });
    expect(ids(json)).toEqual(['0', '2', '3']);
  });
});

describe('a script that does not compile', () => {
  test.each([
    ['PUT', '/new', { mappings: { runtime: { x: { type: 'long', script: 'emit(y)' } } } }],
    ['PUT', '/docs/_mapping', { runtime: { x: { type: 'long', script: 'emit(y)' } } }],
    [
      'PUT',
      '/_index_template/t',
      { index_patterns: 't*', template: { mappings: { runtime: { x: { type: 'ip', script: ';' } } } } },
    ],
  ])('is refused by %s %s', async (method, path, body) => {
    const { status, json } = await node.ask(method, path, body);
    expect(status).toBe(400);
    expect(json.error).toMatchObject({ type: 'mapper_parsing_exception', caused_by: { type: 'script_exception' } });
  });
});

describe('new fields of documents', () => {
  test('become runtime fields where the mapping says so', async () => {
    await node.ask('PUT', '/free/_doc/new?refresh=true', { w: 'x', o: { f: 1.5 }, day: 'none', t: '2020-01-01' });
    const filter = [{ term: { w: 'x' } }, { range: { 'o.f': { gt: 1 } } }, { term: { t: '2020-01-01' } }];
    const found = await node.ask('POST', '/free/_search', { query: { bool: { filter } } });
    expect(ids(found.json)).toEqual(['new']);
  });
});

test('parts of a text, taken by a pattern, are found, counted and shown', async () => {
  const message = { type: 'keyword' };
  const logs = testNode({ indices: [indexOf('logs', { shards: 2, mapping: { properties: { message } } })] });
  const line = (ip: string, status: number): string =>
    `${ip} - - [10/Nov/2026:13:55:36 +0000] "GET / HTTP/1.0" ${status} 1`;
  const messages = [line('10.0.0.7', 200), line('10.0.0.8', 500), line('10.0.0.7', 404), 'no line of a log'];
  await logs.ask(
    'POST',
    '/logs/_bulk?refresh=true',
    lines(...messages.flatMap((text) => [{ index: {} }, { message: text }])),
  );
  const part = (name: string, emitted: string): string =>
    `def found = grok('%{COMMONAPACHELOG}').extract(doc['message'].value)?.${name}; if (found != null) { emit(${emitted}) }`;
  const { json } = await logs.ask('POST', '/logs/_search', {
    runtime_mappings: {
      clientip: { type: 'ip', script: part('clientip', 'found') },
      status: { type: 'long', script: part('response', 'Long.parseLong(found)') },
    },
    query: { range: { status: { gte: 400 } } },
    sort: [{ status: 'desc' }],
    fields: ['clientip', 'status'],
    _source: false,
    aggs: { ips: { terms: { field: 'clientip' } } },
  });
  expect(json.hits.hits.map(({ fields }: { fields: object }) => fields)).toEqual([
    { clientip: ['10.0.0.8'], status: [500] },
    { clientip: ['10.0.0.7'], status: [404] },
  ]);
  expect(json.aggregations.ips.buckets).toMatchObject([
    { key: '10.0.0.7', doc_count: 1 },
    { key: '10.0.0.8', doc_count: 1 },
  ]);
});

test('one script makes several fields, each of its own type', async () => {
  const script =
    "emit('n', doc['message'].value); emit(['ip': '10.0.0.' + doc['message'].value, 'at': 1600000000000L, 'none': null])";
  const fields = { n: { type: 'long' }, ip: { type: 'ip' }, at: { type: 'date' }, none: { type: 'keyword' } };
  const mapping = {
    properties: { message: { type: 'keyword' } },
    runtime: { made: { type: 'composite', script: { source: script, lang: 'painless' }, fields } },
  };
  const logs = testNode({ indices: [indexOf('logs', { shards: 1, mapping })] });
  const documents = ['7', '8', 'x'].flatMap((message) => [{ index: {} }, { message }]);
  await logs.ask('POST', '/logs/_bulk?refresh=true', lines(...documents));
  const { json } = await logs.ask('POST', '/logs/_search', {
    query: { bool: { filter: [{ range: { 'made.n': { gte: 7 } } }, { term: { 'made.ip': '10.0.0.0/24' } }] } },
    sort: [{ 'made.n': 'desc' }],
    fields: ['made.*'],
    _source: false,
  });
  expect(json.hits.hits.map((hit: { fields: object }) => hit.fields)).toEqual([
    { 'made.at': ['2020-09-13T12:26:40.000Z'], 'made.ip': ['10.0.0.8'], 'made.n': [8] },
    { 'made.at': ['2020-09-13T12:26:40.000Z'], 'made.ip': ['10.0.0.7'], 'made.n': [7] },
  ]);
  const caps = await logs.ask('GET', '/logs/_field_caps?fields=made.*');
  expect(Object.keys(caps.json.fields).sort()).toEqual(['made.at', 'made.ip', 'made.n', 'made.none']);
});
