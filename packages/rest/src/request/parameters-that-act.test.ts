import { expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, testNode } from '../http.test-support.ts';

const node = () => testNode({ indices: [indexOf('lib')] });

test.each([
  ['GET', '/lib/_search?preference=_shards:0', '[preference] cannot be [_shards:0] on this server'],
  ['GET', '/lib/_count?preference=_only_local', '[preference] cannot be [_only_local] on this server'],
  ['GET', '/lib/_doc/1?preference=_what', 'no Preference for [_what]'],
  ['PUT', '/lib/_settings?reopen=true', '[reopen] cannot be [true] on this server'],
  ['GET', '/lib/_doc/1?version=1&version_type=what', 'No version type match [what]'],
])('%s %s is refused', async (method, target, reason) => {
  const { status, json } = await node().ask(method, target, method === 'PUT' ? { refresh_interval: '1s' } : undefined);
  expect([status, json.error.reason]).toEqual([400, reason]);
});

test.each(['_local', '_prefer_nodes:n1', 'session-7'])(
  'a preference that leaves nothing out is taken: %s',
  async (word) => {
    const { ask } = node();
    expect((await ask('GET', `/lib/_search?preference=${word}`)).status).toBe(200);
    const { responses } = (await ask('POST', '/_msearch', lines({ index: 'lib', preference: word }, {}))).json;
    expect(responses[0].status).toBe(200);
  },
);

test('a header of a multi search may not leave out shards', async () => {
  const answer = await node().ask('POST', '/_msearch', lines({ index: 'lib', preference: '_shards:1' }, {}));
  expect(JSON.stringify(answer.json)).toContain('[preference] cannot be [_shards:1] on this server');
});
