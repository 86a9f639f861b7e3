import { describe, expect, test } from 'vitest';
import { indexOf } from '../../../../coordinator/src/coordinator.test-support.ts';
import { testNode } from '../../http.test-support.ts';

const mapping = { _data_stream_timestamp: { enabled: true }, properties: { '@timestamp': { type: 'date' } } };
const settings = { 'index.hidden': 'true' };
const [OLD, NEW] = ['.ds-logs-000001', '.ds-logs-000002'] as const;

function streamNode() {
  const backing = [OLD, NEW].map((name) => indexOf(name, { mapping, settings }));
  return testNode({ indices: [indexOf('other'), ...backing], dataStreams: { logs: [OLD, NEW] } });
}

const doc = { '@timestamp': '2020-01-01T00:00:00Z' };

describe('a data stream', () => {
  test('takes new documents into its last index, under ids of both sorts', async () => {
    const node = streamNode();
    expect((await node.ask('POST', '/logs/_doc', doc)).json).toMatchObject({ _index: NEW, result: 'created' });
    expect((await node.ask('PUT', '/logs/_create/1', doc)).json).toMatchObject({ _index: NEW, _id: '1' });
  });

  test.each([
    ['PUT', '/logs/_doc/1', doc, 'only write ops with an op_type of create are allowed in data streams'],
    ['DELETE', '/logs/_doc/1', undefined, 'only write ops with an op_type of create are allowed in data streams'],
    ['POST', '/logs/_update/1', { doc }, 'only write ops with an op_type of create are allowed in data streams'],
    ['PUT', `/${OLD}/_create/1`, doc, 'op_type=create targeting backing indices is disallowed'],
    ['PUT', `/${OLD}/_doc/1`, doc, 'op_type=index and no if_primary_term and if_seq_no set'],
    ['POST', '/logs/_doc', { a: 1 }, 'failed to parse'],
    ['POST', '/logs/_doc', { '@timestamp': ['2020-01-01', '2021-01-01'] }, 'failed to parse'],
    ['POST', '/other/_doc?require_data_stream=true', doc, '[other] is not a data stream'],
  ])('refuses %s %s', async (method, path, body, reason) => {
    const answer = await streamNode().ask(method, path, body);
    expect([answer.status < 500, answer.json.error.reason]).toEqual([true, expect.stringContaining(reason)]);
  });

  test('says which time a document lacks', async () => {
    const answer = await streamNode().ask('POST', '/logs/_doc', { a: 1 });
    expect(answer.json.error.caused_by.reason).toBe('data stream timestamp field [@timestamp] is missing');
  });

  test('lets a document be changed in its own index, by the number of its last write', async () => {
    const node = streamNode();
    await node.ask('PUT', '/logs/_create/1', doc);
    const changed = await node.ask('PUT', `/${NEW}/_doc/1?if_seq_no=0&if_primary_term=1`, doc);
    expect(changed.json).toMatchObject({ result: 'updated' });
    expect((await node.ask('DELETE', `/${NEW}/_doc/1`)).json).toMatchObject({ result: 'deleted' });
  });

  test.each([
    ['/logs/_count', 1],
    ['/lo*/_count', 1],
    ['/_count', 2],
    ['/*,-logs/_count', 1],
    ['/.ds-lo*/_count', 1],
    ['/o*/_count', 1],
  ])('is searched as %s with all of its indices', async (path, count) => {
    const node = streamNode();
    await node.ask('POST', '/logs/_doc?refresh', doc);
    await node.ask('POST', '/other/_doc?refresh', doc);
    expect((await node.ask('GET', path)).json.count).toBe(count);
  });

  test('is resolved as itself, its indices as its own', async () => {
    const { json } = await streamNode().ask('GET', `/_resolve/index/lo*,${OLD}`);
    expect(json).toEqual({
      indices: [{ name: OLD, attributes: ['hidden', 'open'], data_stream: 'logs' }],
      aliases: [],
      data_streams: [{ name: 'logs', backing_indices: [OLD, NEW], timestamp_field: '@timestamp' }],
    });
  });

  test('is shown with the time of its newest document where the request is verbose', async () => {
    const node = streamNode();
    expect((await node.ask('GET', '/_data_stream/logs?verbose')).json.data_streams[0].maximum_timestamp).toBe(0);
    await node.ask('POST', '/logs/_doc?refresh', doc);
    const shown = await node.ask('GET', '/_data_stream/logs?verbose=true');
    expect(shown.json.data_streams[0].maximum_timestamp).toBe(Date.parse('2020-01-01'));
    const plain = await node.ask('GET', '/_data_stream/logs?verbose=false');
    expect(plain.json.data_streams[0]).not.toHaveProperty('maximum_timestamp');
  });

  test('is shown with its indices', async () => {
    const { json } = await streamNode().ask('GET', '/_data_stream/logs');
    expect(json.data_streams).toMatchObject([
      { name: 'logs', generation: 2, status: 'GREEN', indices: [{ index_name: OLD }, { index_name: NEW }] },
    ]);
    expect((await streamNode().ask('GET', `/${OLD}`)).json[OLD].data_stream).toBe('logs');
    expect((await streamNode().ask('GET', '/_data_stream/other')).status).toBe(404);
  });

  test('is measured: its indices, their bytes, and the time of its newest document', async () => {
    const node = streamNode();
    await node.ask('POST', '/logs/_doc', { '@timestamp': '2020-01-01T00:00:00Z' });
    await node.ask('POST', '/logs/_doc?refresh', { '@timestamp': '2019-01-01T00:00:00Z' });
    expect((await node.ask('GET', '/_data_stream/_stats')).json).toMatchObject({
      data_stream_count: 1,
      backing_indices: 2,
      data_streams: [{ data_stream: 'logs', backing_indices: 2, maximum_timestamp: Date.UTC(2020, 0, 1) }],
    });
    expect((await streamNode().ask('GET', '/_data_stream/logs/_stats')).json.data_streams).toMatchObject([
      { maximum_timestamp: 0 },
    ]);
    expect((await node.ask('GET', '/_data_stream/other/_stats')).status).toBe(404);
  });

  test.each([
    ['DELETE', '/logs'],
    ['POST', '/logs/_close'],
    ['PUT', '/logs/_alias/a'],
  ])('is none of the indices that %s %s could change', async (method, path) => {
    expect((await streamNode().ask(method, path)).json.error.reason).toBe('no such index [logs]');
  });
});
