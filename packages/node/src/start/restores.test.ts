import { afterEach, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const clusters: TestCluster[] = [];

afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

async function oneNode(): Promise<TestNode> {
  const cluster = new TestCluster();
  clusters.push(cluster);
  const node = await cluster.start('one', {
    settings: {
      'discovery.type': 'single-node',
      'cluster.initial_cluster_manager_nodes': null,
      'path.repo': '/repos',
    },
  });
  await call(node, 'PUT', '/_snapshot/r', { type: 'fs', settings: { location: 'r' } });
  return node;
}

const take = (node: TestNode, name: string, body: object = {}) =>
  call(node, 'PUT', `/_snapshot/r/${name}?wait_for_completion=true`, body);
const restore = (node: TestNode, name: string, body: object = {}) =>
  call(node, 'POST', `/_snapshot/r/${name}/_restore?wait_for_completion=true`, body);
const put = (node: TestNode, index: string, id: string, title: string) =>
  call(node, 'PUT', `/${index}/_doc/${id}?refresh=true`, { title });
const count = async (node: TestNode, index: string): Promise<number> =>
  (await call(node, 'GET', `/${index}/_count`)).body.count;

describe('a restore', () => {
  test('brings a deleted index back as it was, with what is found, and it takes writes', async () => {
    const node = await oneNode();
    await call(node, 'PUT', '/books', {
      settings: { number_of_shards: 2, number_of_replicas: 0 },
      mappings: { properties: { title: { type: 'text', fields: { raw: { type: 'keyword' } } } } },
      aliases: { library: {} },
    });
    for (const id of ['1', '2', '3', '4']) await put(node, 'books', id, `book ${id}`);
    await call(node, 'DELETE', '/books/_doc/2');
    await take(node, 's');
    await put(node, 'books', '5', 'too late');
    await call(node, 'DELETE', '/books');
    expect((await restore(node, 's')).body).toEqual({
      snapshot: { snapshot: 's', indices: ['books'], shards: { total: 2, failed: 0, successful: 2 } },
    });
    expect(await count(node, 'library')).toBe(3);
    const found = await call(node, 'POST', '/books/_search', { query: { term: { 'title.raw': 'book 3' } } });
    expect(found.body.hits.hits).toMatchObject([{ _id: '3', _source: { title: 'book 3' } }]);
    expect((await put(node, 'books', '3', 'changed')).body).toMatchObject({ result: 'updated', _version: 2 });
    expect((await call(node, 'GET', '/_cluster/health/books')).body.status).toBe('green');
    const recovery = (await call(node, 'GET', '/books/_recovery')).body.books.shards[0];
    expect(recovery).toMatchObject({
      type: 'SNAPSHOT',
      stage: 'DONE',
      source: { repository: 'r', snapshot: 's', index: 'books' },
      index: { files: { reused: 0 }, size: { reused_in_bytes: 0 } },
    });
    expect(recovery.index.files.recovered).toBeGreaterThan(0);
  });

  test('goes into a closed index, never over an open one', async () => {
    const node = await oneNode();
    await put(node, 'books', '1', 'one');
    await take(node, 's');
    await put(node, 'books', '2', 'two');
    const refused = await restore(node, 's');
    expect([refused.status, refused.body.error.type]).toEqual([500, 'snapshot_restore_exception']);
    expect(refused.body.error.reason).toContain('because an open index with same name already exists in the cluster');
    await call(node, 'POST', '/books/_close');
    expect((await restore(node, 's')).body.snapshot.shards.successful).toBe(1);
    expect(await count(node, 'books')).toBe(1);
    await call(node, 'DELETE', '/books');
    await call(node, 'PUT', '/books', { settings: { number_of_shards: 3 } });
    await call(node, 'POST', '/books/_close');
    expect((await restore(node, 's')).body.error.reason).toContain('with [3] shards from a snapshot of index [books]');
  });

  test('gives other names, settings and aliases when it is asked to', async () => {
    const node = await oneNode();
    await call(node, 'PUT', '/a-1', {
      settings: { number_of_replicas: 0, refresh_interval: '7s', 'index.max_result_window': 77 },
      aliases: { all: {} },
    });
    await call(node, 'PUT', '/a-2', { settings: { number_of_replicas: 0 } });
    await take(node, 's');
    const body = {
      indices: ['a-*', '-a-2'],
      rename_pattern: 'a-(.+)',
      rename_replacement: 'b-$1',
      include_aliases: false,
      index_settings: { 'index.number_of_replicas': 1 },
      ignore_index_settings: ['index.refresh_interval'],
    };
    expect((await restore(node, 's', body)).body.snapshot.indices).toEqual(['b-1']);
    const { settings, aliases } = (await call(node, 'GET', '/b-1')).body['b-1'];
    expect(aliases).toEqual({});
    expect(settings.index).toMatchObject({ number_of_replicas: '1', max_result_window: '77' });
    expect(settings.index.refresh_interval).toBe(undefined);
    const same = { rename_pattern: '.+', rename_replacement: 'x' };
    expect((await restore(node, 's', same)).body.error.reason).toContain('are renamed into the same index [x]');
  });

  test.each<[object, string]>([
    [{ index_settings: { 'index.number_of_shards': 3 } }, 'cannot modify setting [index.number_of_shards] on restore'],
    [{ index_settings: { index: { uuid: 'x' } } }, 'cannot modify setting [index.uuid] on restore'],
    [{ ignore_index_settings: ['number_of_replicas'] }, 'cannot remove setting [index.number_of_replicas] on restore'],
    [{ index_settings: { 'index.nope': 1 } }, 'unknown setting [index.nope]'],
    [{ indices: 'nope' }, 'no such index [nope]'],
    [{ foo: 1 }, 'Unknown parameter foo'],
    [{ feature_states: ['kibana'] }, 'unknown feature states were requested: [kibana]'],
    [{ feature_states: ['none', 'kibana'] }, 'the feature_states value [none] indicates'],
    [{ rename_pattern: 'x' }, 'go together'],
    [{ include_global_state: true }, 'the snapshot was created without global state'],
  ])('with %j is refused', async (body, why) => {
    const node = await oneNode();
    await put(node, 'books', '1', 'one');
    await take(node, 's', { include_global_state: false });
    await call(node, 'DELETE', '/books');
    const answer = await restore(node, 's', body);
    expect(answer.body.error.reason).toContain(why);
    expect((await call(node, 'GET', '/_cat/indices?format=json')).body).toEqual([]);
  });

  test('of a snapshot that is not there is refused', async () => {
    const answer = await restore(await oneNode(), 'nope');
    expect([answer.status, answer.body.error.reason]).toEqual([500, '[r:nope] snapshot does not exist']);
  });

  test('brings the templates and settings of the cluster only when it is asked to', async () => {
    const node = await oneNode();
    await call(node, 'PUT', '/_cluster/settings', { persistent: { 'cluster.max_shards_per_node': 777 } });
    await call(node, 'PUT', '/_index_template/t', { index_patterns: ['t*'] });
    await take(node, 's');
    await call(node, 'PUT', '/_cluster/settings', { persistent: { 'cluster.max_shards_per_node': null } });
    await call(node, 'DELETE', '/_index_template/t');
    await restore(node, 's');
    expect((await call(node, 'GET', '/_index_template/t')).status).toBe(404);
    await restore(node, 's', { include_global_state: true });
    expect((await call(node, 'GET', '/_index_template/t')).status).toBe(200);
    expect((await call(node, 'GET', '/_cluster/settings')).body.persistent).toEqual({
      cluster: { max_shards_per_node: '777' },
    });
  });

  test('brings data streams back, also under another name', async () => {
    const node = await oneNode();
    await call(node, 'PUT', '/_index_template/t', { index_patterns: ['logs*'], data_stream: {} });
    await call(node, 'POST', '/logs/_doc?refresh=true', { '@timestamp': '2026-01-01' });
    expect((await take(node, 's', { indices: 'logs' })).body.snapshot.data_streams).toEqual(['logs']);
    await call(node, 'DELETE', '/_data_stream/logs');
    await restore(node, 's');
    expect(await count(node, 'logs')).toBe(1);
    await restore(node, 's', { rename_pattern: 'logs', rename_replacement: 'logs-old' });
    expect(await count(node, 'logs-old')).toBe(1);
    expect((await call(node, 'POST', '/logs-old/_doc', { '@timestamp': '2026-01-02' })).status).toBe(201);
  });

  test('of damaged files fails its shard, says why, and keeps the snapshot from nobody else', async () => {
    const node = await oneNode();
    await put(node, 'books', '1', 'one');
    await call(node, 'PUT', '/other', { settings: { number_of_replicas: 0 } });
    await take(node, 's');
    await call(node, 'DELETE', '/books');
    await call(node, 'DELETE', '/other');
    const { disk } = node.runtime;
    for (const id of await disk.list('/repos/r/indices')) {
      for (const name of await disk.list(`/repos/r/indices/${id}/0`)) {
        const path = `/repos/r/indices/${id}/0/${name}`;
        const bytes = (await disk.readFile(path)).slice();
        if (!name.startsWith('__') || !new TextDecoder('latin1').decode(bytes).includes('one')) continue;
        bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 0xff;
        const file = await disk.open(path, 'create');
        await file.write(bytes, 0);
        await file.close();
      }
    }
    const settings = { 'index.allocation.max_retries': 1 };
    expect((await restore(node, 's', { index_settings: settings })).body.snapshot.shards).toEqual({
      total: 2,
      failed: 1,
      successful: 1,
    });
    const [copy] = (await call(node, 'GET', '/_cluster/state/routing_table/books')).body.routing_table.indices.books
      .shards['0'];
    expect(copy.unassigned_info.details).toContain('checksum does not match');
    expect(await count(node, 'other')).toBe(0);
  });
});
