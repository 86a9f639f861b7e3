import { expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, testNode } from '../http.test-support.ts';

const node = () => testNode({ indices: [indexOf('lib')] });

test.each([
  ['GET', '/lib/_doc/1?preference=_what', 'no Preference for [_what]'],
  ['GET', '/lib/_search?preference=_primary', 'no Preference for [_primary]'],
  ['GET', '/lib/_search?preference=_shards', 'no Preference for [_shards]'],
  ['GET', '/lib/_search?preference=_shards:x', 'For input string: "x"'],
  ['GET', '/lib/_count?preference=_only_nodes:nope', 'no data nodes with criteria [nope] found'],
  ['PUT', '/lib/_settings?reopen=true', '[reopen] cannot be [true] on this server'],
  ['GET', '/lib/_doc/1?version=1&version_type=what', 'No version type match [what]'],
  ['GET', '/_nodes/hot_threads?sort=total', 'sort order not supported [total]'],
  ['GET', '/_cluster/allocation/explain?current_node=n1', 'index, shard and primary must be specified together'],
  ['GET', '/_cluster/allocation/explain?index=lib&shard=0&primary=true&current_node=n9', 'failed to resolve [n9]'],
  ['POST', '/lib/_pit?keep_alive=1m&max_concurrent_shard_requests=0', 'maxConcurrentShardRequests must be >= 1'],
])('%s %s is refused', async (method, target, reason) => {
  const { status, json } = await node().ask(method, target, method === 'PUT' ? { refresh_interval: '1s' } : undefined);
  expect([status, json.error.reason]).toEqual([400, expect.stringContaining(reason)]);
});

test.each([
  ['_shards:0,2', 2],
  ['_shards:7', 0],
  ['_local', 3],
  ['_prefer_nodes:n1', 3],
  ['session-7', 3],
])('a preference says which shards are read: %s', async (word, total) => {
  const { ask } = testNode({ indices: [indexOf('lib', { shards: 3 })] });
  const search = await ask('GET', `/lib/_search?preference=${word}`);
  const count = await ask('GET', `/lib/_count?preference=${word}`);
  const many = await ask('POST', '/_msearch', lines({ index: 'lib', preference: word }, {}));
  const where = await ask('GET', `/lib/_search_shards?preference=${word}`);
  const counts = [search.json._shards.total, count.json._shards.total, many.json.responses[0]._shards.total];
  expect([...counts, where.json.shards.length]).toEqual([total, total, total, total]);
});

test('an index may be named beside the path where Elasticsearch takes it there too', async () => {
  const { ask } = node();
  expect((await ask('POST', '/_cache/clear?index=none')).status).toBe(404);
  expect((await ask('GET', '/_cat/recovery?index=none')).status).toBe(404);
  const many = await ask('POST', '/_msearch?index=lib', lines({}, {}, { index: 'none' }, {}));
  expect(many.json.responses).toMatchObject([{ _shards: { total: 1 } }, { error: { reason: 'no such index [none]' } }]);
});

test('a script is checked for a context that is named beside the path', async () => {
  const { ask } = node();
  const script = { lang: 'painless', source: '1' };
  const { status, json } = await ask('PUT', '/_scripts/a?context=nope', { script });
  expect([status, json.error.caused_by.reason]).toEqual([400, 'Unknown context [nope]']);
  expect((await ask('PUT', '/_scripts/a?context=score', { script })).status).toBe(200);
});

test('searches of many show the scores of their named queries', async () => {
  const { ask } = node();
  await ask('PUT', '/lib/_doc/1?refresh', { n: 1 });
  const query = { constant_score: { filter: { match_all: {} }, boost: 3, _name: 'all' } };
  const hit = async (parameter: string) =>
    (await ask('POST', `/lib/_msearch${parameter}`, lines({}, { query }))).json.responses[0].hits.hits[0];
  expect((await hit('?include_named_queries_score=true')).matched_queries).toEqual({ all: 3 });
  expect((await hit('')).matched_queries).toEqual(['all']);
});

test('synonyms are put without a reload of the analyzers that use them', async () => {
  const { ask } = node();
  const body = { synonyms_set: [{ id: 'a', synonyms: 'hi, hello' }] };
  expect((await ask('PUT', '/_synonyms/set?refresh=false', body)).json).toEqual({ result: 'created' });
  expect((await ask('PUT', '/_synonyms/set', body)).json).toHaveProperty('reload_analyzers_details');
  const rule = '/_synonyms/set/a?refresh=false';
  expect((await ask('PUT', rule, { synonyms: 'hi, hey' })).json).toEqual({ result: 'updated' });
  expect((await ask('DELETE', rule)).json).toEqual({ result: 'deleted' });
});

test('segments of a closed index are none, where the request allows for it', async () => {
  const { ask } = testNode({ indices: [{ ...indexOf('lib'), state: 'close' }] });
  expect((await ask('GET', '/_cat/segments/lib')).status).toBe(400);
  const allowed = await ask('GET', '/_cat/segments/lib?allow_closed=true&format=json');
  expect([allowed.status, allowed.json]).toEqual([200, []]);
});

test('lifecycles of templates are shown with the conditions of their rollovers', async () => {
  const { ask } = node();
  const template = { lifecycle: { data_retention: '7d' } };
  await ask('PUT', '/_index_template/t', { index_patterns: ['x-*'], data_stream: {}, template });
  await ask('PUT', '/_component_template/c', { template });
  const shown = async (path: string) => JSON.stringify((await ask('GET', `${path}?include_defaults=true`)).json);
  for (const path of ['/_index_template/t', '/_component_template/c']) {
    expect(await shown(path)).toContain('"data_retention":"7d","rollover":{"max_age":"1d"');
    expect(JSON.stringify((await ask('GET', path)).json)).not.toContain('rollover');
  }
  const simulated = await ask('POST', '/_index_template/_simulate_index/x-1?include_defaults=true');
  expect(JSON.stringify(simulated.json)).toContain('"rollover"');
});
