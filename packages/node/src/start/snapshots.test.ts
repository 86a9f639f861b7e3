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

async function fill(node: TestNode, index: string, ids: readonly string[]): Promise<void> {
  const lines = ids.flatMap((id) => [{ index: { _id: id } }, { title: `book ${id}` }]);
  await call(node, 'POST', `/${index}/_bulk?refresh=true`, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}

const take = (node: TestNode, name: string, body: object = {}) =>
  call(node, 'PUT', `/_snapshot/r/${name}?wait_for_completion=true`, body);
const names = ({ body }: { readonly body: { snapshots: { snapshot: string }[] } }): string[] =>
  body.snapshots.map(({ snapshot }) => snapshot);

describe('snapshots', () => {
  test('are made, shown, told in numbers, and deleted with everything that was theirs alone', async () => {
    const node = await oneNode();
    await call(node, 'PUT', '/books', { settings: { number_of_shards: 2, number_of_replicas: 0 } });
    await fill(node, 'books', ['1', '2', '3']);
    await fill(node, 'other', ['1']);
    const made = await take(node, 's1', { indices: 'books', metadata: { by: 'me' } });
    expect(made.body.snapshot).toMatchObject({
      snapshot: 's1',
      indices: ['books'],
      data_streams: [],
      include_global_state: true,
      metadata: { by: 'me' },
      state: 'SUCCESS',
      failures: [],
      shards: { total: 2, failed: 0, successful: 2 },
    });
    await call(node, 'PUT', '/_snapshot/r/s2', { include_global_state: false, feature_states: ['none'] });
    await take(node, 's3', { indices: 'bo*' });
    expect(names(await call(node, 'GET', '/_snapshot/r/_all'))).toEqual(['s1', 's2', 's3']);
    expect(names(await call(node, 'GET', '/_snapshot/r/s1,*3'))).toEqual(['s1', 's3']);
    expect((await call(node, 'GET', '/_snapshot/r/s2?verbose=false')).body).toEqual({
      snapshots: [
        {
          ...{ snapshot: 's2', uuid: expect.any(String), repository: 'r' },
          ...{ indices: ['books', 'other'], data_streams: [], state: 'SUCCESS' },
        },
      ],
      ...{ total: 1, remaining: 0 },
    });
    const [first, third] = (await call(node, 'GET', '/_snapshot/r/s1,s3/_status')).body.snapshots;
    expect(first).toMatchObject({
      snapshot: 's1',
      repository: 'r',
      state: 'SUCCESS',
      shards_stats: { done: 2, failed: 0, total: 2 },
      indices: { books: { shards: { 0: { stage: 'DONE' }, 1: { stage: 'DONE' } } } },
    });
    expect(first.stats.incremental).toEqual(first.stats.total);
    // Nothing was written in between.
    expect(third.stats.incremental).toEqual({ file_count: 0, size_in_bytes: 0 });
    expect(third.stats.total).toEqual(first.stats.total);
    expect((await call(node, 'DELETE', '/_snapshot/r/s1')).body).toEqual({ acknowledged: true });
    expect((await call(node, 'GET', '/_snapshot/r/s3/_status')).body.snapshots[0].stats.total).toEqual(
      first.stats.total,
    );
    const unwaited = (name: string) => call(node, 'DELETE', `/_snapshot/r/${name}?wait_for_completion=false`);
    expect((await unwaited('x')).status).toBe(404);
    expect(await unwaited('s*')).toMatchObject({ status: 200, body: { acknowledged: true } });
    await expect.poll(async () => names(await call(node, 'GET', '/_snapshot/r/*'))).toEqual([]);
    expect((await call(node, 'POST', '/_snapshot/r/_cleanup')).body.results).toEqual({
      deleted_bytes: 0,
      deleted_blobs: 0,
    });
    expect(await node.runtime.disk.list('/repos/r/indices')).toEqual([]);
    expect(await node.runtime.disk.list('/repos/r')).toHaveLength(2);
  });

  test('that are not there are missed, or passed over', async () => {
    const node = await oneNode();
    for (const path of ['/_snapshot/r/x', '/_snapshot/r/x*', '/_snapshot/r/x/_status']) {
      const answer = await call(node, 'GET', path);
      expect([answer.status, answer.body.error.type]).toEqual([404, 'snapshot_missing_exception']);
      expect((await call(node, 'GET', `${path}?ignore_unavailable=true`)).body).toMatchObject({ snapshots: [] });
    }
    expect((await call(node, 'DELETE', '/_snapshot/r/x')).status).toBe(404);
    expect((await call(node, 'GET', '/_snapshot/r/_current')).body).toEqual({ snapshots: [], total: 0, remaining: 0 });
    expect((await call(node, 'GET', '/_snapshot/_status')).body).toEqual({ snapshots: [] });
    expect((await call(node, 'GET', '/_snapshot/nope/x')).body.error.type).toBe('repository_missing_exception');
  });

  test.each([
    ['Bad', 'must be lowercase'],
    ['_x', "must not start with '_'"],
    ['a%20b', 'must not contain whitespace'],
    ['a%7Cb', 'must not contain the following characters'],
  ])('named %s are refused', async (name, why) => {
    const answer = await take(await oneNode(), name);
    expect([answer.status, answer.body.error.type]).toEqual([400, 'invalid_snapshot_name_exception']);
    expect(answer.body.error.reason).toContain(why);
  });

  test('of a name that is taken, of missing indices and with unknown options are refused', async () => {
    const node = await oneNode();
    expect((await take(node, 's', { indices: 'nope' })).status).toBe(404);
    const empty = await take(node, 's', { indices: 'nope', ignore_unavailable: true });
    expect(empty.body.snapshot).toMatchObject({ state: 'SUCCESS', shards: { total: 0 } });
    const again = await take(node, 's');
    expect([again.status, again.body.error.reason]).toEqual([
      400,
      '[r:s] Invalid snapshot name [s], snapshot with the same name already exists',
    ]);
    expect((await take(node, 't', { foo: 1 })).body.error.reason).toBe('Unknown parameter foo');
    expect((await take(node, 't', { partial: 'zz' })).body.error.reason).toBe('Could not convert [partial] to boolean');
    expect((await take(node, 't', { metadata: { a: 'x'.repeat(2_000) } })).status).toBe(400);
    await call(node, 'PUT', '/_snapshot/ro', { type: 'fs', settings: { location: 'r', readonly: true } });
    const readOnly = await call(node, 'PUT', '/_snapshot/ro/t', {});
    expect(readOnly.body.error.reason).toBe('[ro] cannot create snapshot in a readonly repository');
    expect(names(await call(node, 'GET', '/_snapshot/ro/_all'))).toEqual(['s']);
  });

  test('hold closed indices as well', async () => {
    const node = await oneNode();
    await fill(node, 'books', ['1']);
    await call(node, 'POST', '/books/_close');
    expect((await take(node, 's')).body.snapshot).toMatchObject({ state: 'SUCCESS', shards: { successful: 1 } });
  });

  test('keep their indices from going, and end without a trace when they are deleted', async () => {
    const node = await oneNode();
    await call(node, 'PUT', '/_snapshot/slow', {
      type: 'fs',
      settings: { location: 'slow', max_snapshot_bytes_per_sec: '1kb' },
    });
    await fill(
      node,
      'books',
      Array.from({ length: 200 }, (_, i) => `${i}-${'x'.repeat(100)}`),
    );
    expect((await call(node, 'PUT', '/_snapshot/slow/s', {})).body).toEqual({ accepted: true });
    expect((await call(node, 'GET', '/_snapshot/slow/_current')).body.snapshots).toMatchObject([
      { snapshot: 's', state: 'IN_PROGRESS' },
    ]);
    expect((await call(node, 'GET', '/_snapshot/_status')).body.snapshots).toMatchObject([
      { snapshot: 's', repository: 'slow', state: 'STARTED', shards_stats: { total: 1, done: 0 } },
    ]);
    for (const [method, path] of [
      ['DELETE', '/books'],
      ['POST', '/books/_close'],
    ] as const) {
      const answer = await call(node, method, path);
      expect([answer.status, answer.body.error.type]).toEqual([400, 'snapshot_in_progress_exception']);
    }
    expect((await call(node, 'PUT', '/_snapshot/slow/s', {})).body.error.reason).toContain('already in-progress');
    expect((await call(node, 'DELETE', '/_snapshot/slow')).body.error.type).toBe('illegal_state_exception');
    expect((await call(node, 'DELETE', '/_snapshot/slow/s')).body).toEqual({ acknowledged: true });
    expect(names(await call(node, 'GET', '/_snapshot/slow/_all'))).toEqual([]);
    expect(await node.runtime.disk.list('/repos/slow/indices')).toEqual([]);
    expect((await call(node, 'DELETE', '/books')).status).toBe(200);
  });
});

describe('a clone', () => {
  test('is a snapshot of some of the indices, which outlives the one that it came from', async () => {
    const node = await oneNode();
    await fill(node, 'books', ['1', '2']);
    await fill(node, 'other', ['1']);
    await take(node, 's');
    const clone = (target: string, body: object) => call(node, 'PUT', `/_snapshot/r/s/_clone/${target}`, body);
    expect((await clone('c', { indices: 'bo*' })).body).toEqual({ acknowledged: true });
    expect((await clone('c', { indices: '*' })).body.error.type).toBe('invalid_snapshot_name_exception');
    expect((await clone('d', { indices: 'nope*' })).body.error.reason).toContain('matched requested pattern [nope*]');
    expect((await clone('d', {})).body.error.reason).toBe('Validation Failed: 1: indices patterns are empty;');
    expect((await clone('Bad', { indices: '*' })).status).toBe(400);
    expect((await call(node, 'PUT', '/_snapshot/r/nope/_clone/d', { indices: '*' })).status).toBe(404);
    await call(node, 'DELETE', '/_snapshot/r/s');
    const [status] = (await call(node, 'GET', '/_snapshot/r/c/_status')).body.snapshots;
    expect(status).toMatchObject({ shards_stats: { done: 1, total: 1 }, stats: { incremental: { file_count: 0 } } });
    await call(node, 'DELETE', '/books,other');
    const restored = await call(node, 'POST', '/_snapshot/r/c/_restore?wait_for_completion=true');
    expect(restored.body.snapshot).toMatchObject({ indices: ['books'], shards: { successful: 1 } });
    expect((await call(node, 'GET', '/books/_count')).body.count).toBe(2);
  });
});

test('_cat/snapshots has a row a snapshot, _cat/repositories one a repository', async () => {
  const node = await oneNode();
  expect((await call(node, 'GET', '/_cat/snapshots/r?format=json')).body).toEqual([]);
  await fill(node, 'books', ['1']);
  await take(node, 's');
  expect((await call(node, 'GET', '/_cat/snapshots/r?format=json')).body).toMatchObject([
    { id: 's', status: 'SUCCESS', indices: '1', successful_shards: '1', failed_shards: '0', total_shards: '1' },
  ]);
  expect((await call(node, 'GET', '/_cat/snapshots')).body.error.reason).toContain('repository is missing');
  expect((await call(node, 'GET', '/_cat/repositories?format=json')).body).toEqual([{ id: 'r', type: 'fs' }]);
});
