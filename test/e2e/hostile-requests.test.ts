/**
 * Requests made to hurt: each is answered soon, with the status it deserves, and the node goes on.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningCluster, shoalBinary, startUp } from '../support/shoal-process.test-support.ts';

let cluster: RunningCluster;
beforeAll(async () => {
  cluster = await startUp(['--nodes', '1', '--ephemeral', '--no-sample', '--set', 'http.access_log=false']);
  await send('PUT', '/x', '{"settings":{"number_of_shards":1,"number_of_replicas":0}}');
  await send('PUT', `/${'a'.repeat(250)}`);
  await send('PUT', '/all', JSON.stringify({ settings: { number_of_replicas: 0 }, mappings: ALL_FIELDS }));
  await send('PUT', '/all/_doc/1?refresh=true', '{"t":"a b c","k":"a","c":"alpha","g":"1,1","o":[{"k":"x"}],"n":1}');
  await send('PUT', '/_ingest/pipeline/itself', '{"processors":[{"pipeline":{"name":"itself"}}]}');
  await send('PUT', '/x/_doc/1?refresh=true', `{"a":"hello","n":1,"k":"${'a'.repeat(200)}","d":"2020-01-01"}`);
});
afterAll(() => cluster?.end());

/** What a node may take for one hostile request on a busy machine; without limits these take minutes, or for ever. */
const ANSWER_MS_MAX = 10_000;
const MANY = 100_000;

async function send(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
  const type = path.endsWith('_bulk') ? 'application/x-ndjson' : 'application/json';
  const response = await fetch(cluster.url + path, {
    method,
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
    ...(body === undefined ? {} : { body, headers: { 'content-type': type } }),
  });
  return { status: response.status, text: await response.text() };
}

const ALL_FIELDS = {
  properties: {
    t: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    g: { type: 'geo_point' },
    c: { type: 'completion' },
    o: { type: 'nested', properties: { k: { type: 'keyword' } } },
    j: { type: 'join', relations: { parent: 'child' } },
    p: { type: 'percolator' },
  },
};
const ENDLESS = 'int i = 0; while (true) { i++ } return i';

const nest = (count: number, open: string, inside: string, close: string): string =>
  open.repeat(count) + inside + close.repeat(count);
const search = (query: unknown): string => JSON.stringify({ query });
const words = Array.from({ length: MANY }, (_, n) => `w${n}`);
const fields = Object.fromEntries(words.map((name) => [name, 1]));

type Case = readonly [name: string, status: number, method: string, path: string, body?: string];

const HOSTILE: readonly Case[] = [
  ['bool in bool', 400, 'POST', '/x/_search', `{"query":${nest(400, '{"bool":{"must":', '{"match_all":{}}', '}}')}}`],
  ['JSON too deep', 400, 'POST', '/x/_search', `{"query":${nest(MANY, '{"bool":{"must":', '1', '}}')}}`],
  ['arrays too deep', 400, 'PUT', '/x/_doc/2', `{"z":${nest(MANY, '[', '1', ']')}}`],
  ['objects too deep', 400, 'PUT', '/x/_doc/2', nest(900, '{"a":', '1', '}')],
  ['a mapping too deep', 400, 'PUT', '/m', `{"mappings":${nest(450, '{"properties":{"a":', '{"type":"ip"}', '}}')}}`],
  ['settings too deep', 400, 'PUT', '/m', `{"settings":${nest(900, '{"a":', '1', '}')}}`],
  ['a name of dots', 400, 'PUT', '/x/_doc/2', JSON.stringify({ [`${'a.'.repeat(5_000)}b`]: 1 })],
  ['fields without number', 400, 'PUT', '/x/_doc/2', JSON.stringify(fields)],
  ['parentheses', 400, 'POST', '/x/_search', search({ query_string: { query: nest(50_000, '(', 'a', ')') } })],
  ['NOT NOT NOT', 400, 'POST', '/x/_search', search({ query_string: { query: `${'NOT a '.repeat(50_000)}` } })],
  ['words of a query string', 400, 'POST', '/x/_search', search({ query_string: { query: words.join(' ') } })],
  ['words of a match', 400, 'POST', '/x/_search', search({ match: { a: words.join(' ') } })],
  ['clauses', 400, 'POST', '/x/_search', search({ bool: { should: words.map((a) => ({ term: { a } })) } })],
  ['terms', 400, 'POST', '/x/_search', search({ terms: { k: words } })],
  ['ids', 200, 'POST', '/x/_search', search({ ids: { values: words } })],
  ['a fuzzy term', 400, 'POST', '/x/_search', search({ fuzzy: { 'k.keyword': 'a'.repeat(30_000) } })],
  ['a wildcard term', 200, 'POST', '/x/_search', search({ wildcard: { 'k.keyword': `${'*a'.repeat(200)}b` } })],
  ['date math', 200, 'POST', '/x/_search', search({ range: { d: { gte: `2020-01-01||${'+1d'.repeat(50_000)}` } } })],
  ['a far date', 400, 'POST', '/x/_search', search({ range: { d: { gte: 'now+999999999999999999y' } } })],
  ['sort fields', 400, 'POST', '/x/_search', JSON.stringify({ sort: words })],
  ['a huge size', 400, 'POST', '/x/_search', '{"size":2000000000}'],
  ['a huge from', 400, 'POST', '/x/_search', '{"from":1e18}'],
  ['wildcards of index names', 200, 'GET', `/${'*a'.repeat(60)}b/_search`],
  ['wildcards of _source', 200, 'GET', `/x/_search?_source_includes=${'*a'.repeat(200)}b`],
  ['** of filter_path', 200, 'GET', `/_cluster/state?filter_path=${'**.'.repeat(60)}nothing`],
  ['patterns of filter_path', 200, 'GET', `/_cluster/state?filter_path=${Array(200).fill('**.a*b*c*').join(',')}`],
  ['braces of date math', 400, 'GET', `/%3C${'%7Bnow'.repeat(500)}%3E/_search`],
  ['parameters', 400, 'GET', `/_search?${'q=a&'.repeat(2_000)}`],
  ['a long address', 431, 'GET', `/_search?q=${'a'.repeat(70_000)}`],
  ['digits', 400, 'PUT', '/x/_doc/2', `{"new":${'9'.repeat(20_000_000)}}`],
  ['shards', 400, 'PUT', '/m', '{"settings":{"number_of_shards":1025}}'],
  ['copies', 400, 'PUT', '/m', '{"settings":{"number_of_replicas":1000000000}}'],
  ['garbage to bulk', 400, 'POST', '/_bulk', 'x\n'.repeat(MANY)],
  ['tokens of _analyze', 400, 'POST', '/_analyze', JSON.stringify({ text: 'a '.repeat(1_000_000) })],
  ['a name with ..', 400, 'PUT', '/..%2f..%2fetc'],
  ['half a character', 400, 'PUT', '/x/_doc/%ED%A0%80', '{}'],
];

const DEEP = 20_000;
const LONG = 'a'.repeat(10_000_000);
const ofAll = (body: unknown): readonly [method: string, path: string, body: string] => [
  'POST',
  '/all/_search',
  JSON.stringify(body),
];
const inside = (open: string, close: string): readonly [method: string, path: string, body: string] => [
  'POST',
  '/all/_search',
  `{"query":${nest(300, open, '{"match_all":{}}', close)}}`,
];

/** The same sorts of too much, through each API that reads queries, scripts, patterns or lists. */
const HOSTILE_APIS: readonly Case[] = [
  ...['_search', '_count', '_explain/1', '_msearch/template', '_search/template', '_field_caps'].map(
    (api): Case => [
      `${api} too deep`,
      400,
      'POST',
      `/all/${api}`,
      `{"query":${nest(DEEP, '{"bool":{"must":', '1', '}}')}}`,
    ],
  ),
  ...['_mget', '_mtermvectors', '_termvectors/1', '_update/1', '_rank_eval', '_rollover', '_split/b'].map(
    (api): Case => [`${api} too deep`, 400, 'POST', `/all/${api}`, `{"docs":${nest(DEEP, '[', '1', ']')}}`],
  ),
  ...[
    '/_ingest/pipeline/a',
    '/_index_template/a',
    '/_template/a',
    '/_scripts/a',
    '/_snapshot/a',
    '/_cluster/settings',
  ].map((path): Case => [`${path} too deep`, 400, 'PUT', path, nest(DEEP, '{"a":', '1', '}')]),
  [
    'a percolated query too deep',
    400,
    'PUT',
    '/all/_doc/2',
    `{"p":${nest(400, '{"bool":{"must":', '{"match_all":{}}', '}}')}}`,
  ],
  ['nested in nested', 400, ...inside('{"nested":{"path":"o","query":', '}}')],
  ['has_child in has_child', 400, ...inside('{"has_child":{"type":"child","query":', '}}')],
  ['function_score in itself', 400, ...inside('{"function_score":{"query":', '}}')],
  ['constant_score in itself', 400, ...inside('{"constant_score":{"filter":', '}}')],
  ['percolated documents', 400, ...ofAll({ query: { percolate: { field: 'p', documents: words } } })],
  ['geo points', 400, ...ofAll({ query: { geo_polygon: { g: { points: words } } } })],
  ['an endless filter script', 400, ...ofAll({ query: { script: { script: ENDLESS } } })],
  ['an endless script field', 400, ...ofAll({ script_fields: { x: { script: ENDLESS } } })],
  [
    'an endless script score',
    400,
    ...ofAll({ query: { script_score: { query: { match_all: {} }, script: { source: ENDLESS } } } }),
  ],
  ['an endless sort script', 400, ...ofAll({ sort: { _script: { type: 'number', script: ENDLESS } } })],
  ['an endless update', 400, 'POST', '/all/_update/1', JSON.stringify({ script: ENDLESS })],
  [
    'a million buckets',
    400,
    ...ofAll({ aggs: { a: { histogram: { field: 'n', interval: 1e-6, extended_bounds: { min: 0, max: 1 } } } } }),
  ],
  ['a pipeline that calls itself', 400, 'PUT', '/all/_doc/3?pipeline=itself', '{"a":1}'],
  ['states of a regular expression', 400, ...ofAll({ query: { regexp: { k: '(a|b)*a(a|b){20}' } } })],
  ['a long regular expression', 400, ...ofAll({ query: { regexp: { k: LONG.slice(0, 5_000) } } })],
  ['a long wildcard', 400, ...ofAll({ query: { wildcard: { k: '*a?'.repeat(100_000) } } })],
  [
    'a long prefix of a completion',
    200,
    ...ofAll({ suggest: { s: { prefix: LONG.slice(0, 1_000_000), completion: { field: 'c' } } } }),
  ],
  ['a snapshot of a bad name', 404, 'PUT', `/_snapshot/none/${'a'.repeat(4_000)}%2f..`],
  ['a long text', 200, ...ofAll({ query: { term: { k: LONG } } })],
];

describe('a request of too much', () => {
  for (const [name, status, method, path, body] of [...HOSTILE, ...HOSTILE_APIS]) {
    test(`${name}: ${status}`, async () => {
      const answer = await send(method, path, body);
      expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.any(String)]);
      expect((await send('GET', '/')).status).toBe(200);
    });
  }
});

describe('names that objects have by themselves', () => {
  test('are fields like any other', async () => {
    const source = '{"__proto__":{"inner":1},"constructor":{"prototype":{"p":1}},"toString":"x","hasOwnProperty":"y"}';
    await send('PUT', '/own', '{"settings":{"number_of_replicas":0}}');
    expect((await send('PUT', '/own/_doc/1?refresh=true', source)).status).toBe(201);
    expect((await send('GET', '/own/_source/1')).text).toBe(source);
    const found = await send('POST', '/own/_count', search({ term: { '__proto__.inner': 1 } }));
    expect(JSON.parse(found.text).count).toBe(1);
    const { own } = JSON.parse((await send('GET', '/own/_mapping')).text);
    expect(Object.keys(own.mappings.properties)).toEqual(['__proto__', 'constructor', 'hasOwnProperty', 'toString']);
  });

  test.each<readonly [string, string, string | undefined, number]>([
    ['PUT', '/constructor/_settings', '{"__proto__":{"number_of_replicas":1}}', 404],
    ['PUT', '/x/_settings', '{"index":{"__proto__":{"hidden":true}}}', 400],
    ['PUT', '/_cluster/settings', '{"persistent":{"__proto__":{"a":1}}}', 400],
    ['POST', '/x/_search', '{"query":{"constructor":{}}}', 400],
    ['POST', '/x/_search', '{"toString":{}}', 400],
    ['POST', '/_bulk', '{"__proto__":{"_index":"x"}}\n{}\n', 400],
    ['GET', '/_search?__proto__=1', undefined, 400],
    ['POST', '/_analyze', '{"analyzer":"constructor","text":"a"}', 400],
    ['PUT', '/m', '{"mappings":{"properties":{"a":{"type":"toString"}}}}', 400],
  ])('are nothing to %s %s %s', async (method, path, body, status) => {
    expect((await send(method, path, body)).status).toBe(status);
    expect((await send('GET', '/')).status).toBe(200);
  });
});

test('what breaks while a node comes up is logged, and ends it with a status of its own', async () => {
  const data = mkdtempSync(join(tmpdir(), 'shoal-broken-'));
  // Nobody waits for this promise, as when an invariant breaks far from any request.
  const breaks = `import fs from 'node:fs';
    const write = fs.writeSync;
    fs.writeSync = (...args) => {
      if (String(args[1]).includes('node starts')) Promise.reject(new Error('broken by the test'));
      return write(...args);
    };`;
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(breaks)}`, shoalBinary, 'data-node', '--data', data],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const status = await new Promise((resolve) => child.once('close', resolve));
  rmSync(data, { recursive: true, force: true });
  expect(output).toMatch(/stopping on a broken invariant.*broken by the test|broken by the test.*stopping on a broken/);
  expect(status).toBe(70);
});
