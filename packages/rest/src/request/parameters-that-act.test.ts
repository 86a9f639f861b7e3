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
])('%s %s is refused', async (method, target, reason) => {
  const { status, json } = await node().ask(method, target, method === 'PUT' ? { refresh_interval: '1s' } : undefined);
  expect([status, json.error.reason]).toEqual([400, reason]);
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
