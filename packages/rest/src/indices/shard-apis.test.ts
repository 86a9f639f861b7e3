import { describe, expect, test } from 'vitest';
import { RecordedCluster, twoIndices } from '../cluster/recorded-cluster.test-support.ts';
import { ALLOCATION_ID, NODE_ID, RECORDED_AT_MS } from '../cluster/recorded-state.test-support.ts';

const segment = {
  name: '_1a',
  liveCount: 3,
  deletedCount: 1,
  sizeBytes: 3144,
  memoryBytes: 0,
  isCommitted: true,
  isSearchable: true,
  fields: [],
};
const copy = { index: 'lib', shard: 0, allocationId: ALLOCATION_ID };

function clusterAnswering(source = 'EXISTING_STORE'): RecordedCluster & { readonly asked: unknown[] } {
  const cluster = new RecordedCluster();
  const asked: unknown[] = [];
  cluster.answers = {
    'indices:admin/maintenance[n]': (request) => {
      asked.push(request);
      return { failures: [null] };
    },
    'indices:monitor/segments[n]': () => ({ shards: [{ ...copy, segments: [segment] }] }),
    'indices:monitor/recovery[n]': () => ({
      shards: [
        {
          ...copy,
          isPrimary: true,
          source,
          startMs: RECORDED_AT_MS,
          stopMs: RECORDED_AT_MS + 155,
          tookMs: 155,
          peer: null,
          recovery: {
            fileCount: 4,
            fileBytes: 2048,
            copiedFileCount: 0,
            copiedFileBytes: 0,
            indexTimeMs: 30.4,
            translogOperations: 7,
            translogTimeMs: 87,
          },
        },
      ],
    }),
    'internal:cluster/nodes/indices/shard/store': () => ({ allocationIds: [ALLOCATION_ID] }),
  };
  return Object.assign(cluster, { asked });
}

describe('_forcemerge', () => {
  test.each([
    ['', { segmentsMax: null, onlyExpungeDeletes: false }, true],
    ['?max_num_segments=3&flush=false', { segmentsMax: 3, onlyExpungeDeletes: false }, false],
    ['?max_num_segments=0', { segmentsMax: null, onlyExpungeDeletes: false }, true],
    ['?only_expunge_deletes', { segmentsMax: null, onlyExpungeDeletes: true }, true],
  ])('%s asks every shard for its merge', async (query, merge, flush) => {
    const cluster = clusterAnswering();
    expect((await cluster.ask('POST', `/lib/_forcemerge${query}`)).json).toEqual({
      _shards: { total: 1, successful: 1, failed: 0 },
    });
    expect(cluster.asked).toMatchObject([{ work: { kind: 'force_merge', merge, flush } }]);
  });

  test('of an index with a block on its metadata is refused', async () => {
    const levels = ['metadata_read', 'metadata_write'] as const;
    const block = { id: 9, description: 'index metadata (api)', status: 403, levels };
    const indices = new Map([['lib', [block]]]);
    const cluster = new RecordedCluster({ ...twoIndices, blocks: { ...twoIndices.blocks, indices } });
    expect((await cluster.ask('POST', '/lib/_forcemerge')).status).toBe(403);
  });
});

test('_flush/synced flushes, and answers index by index', async () => {
  const header = { total: 1, successful: 1, failed: 0 };
  const cluster = clusterAnswering();
  expect((await cluster.ask('POST', '/lib/_flush/synced')).json).toEqual({ _shards: header, lib: header });
  expect(cluster.asked).toMatchObject([
    { work: { kind: 'synced_flush', syncId: expect.stringMatching(/^[\w-]{22}$/) } },
  ]);
});

test('_segments and _cat/segments show the segments of each copy', async () => {
  const cluster = clusterAnswering();
  expect((await cluster.ask('GET', '/_segments')).json).toMatchObject({
    _shards: { total: 1, successful: 1, failed: 0 },
    indices: {
      lib: {
        shards: {
          0: [
            {
              routing: { state: 'STARTED', primary: true, node: NODE_ID },
              num_committed_segments: 1,
              num_search_segments: 1,
              segments: { _1a: { generation: 46, num_docs: 3, deleted_docs: 1, size_in_bytes: 3144, search: true } },
            },
          ],
        },
      },
    },
  });
  expect(
    (await cluster.ask('GET', '/_cat/segments?h=index,shard,prirep,segment,generation,docs.count,size')).text,
  ).toBe('lib 0 p _1a 46 3 3kb\n');
});

describe('_recovery', () => {
  test('says how long each copy took, and what it read', async () => {
    const answer = await clusterAnswering().ask('GET', '/lib/_recovery?human');
    expect(answer.json).toMatchObject({
      lib: {
        shards: [
          {
            id: 0,
            type: 'EXISTING_STORE',
            stage: 'DONE',
            primary: true,
            total_time: '155ms',
            target: { id: NODE_ID, name: 'peer-19290' },
            index: { size: { total: '2kb', total_in_bytes: 2048 }, files: { total: 4, reused: 4, percent: '100.0%' } },
            translog: { recovered: 7, total: 7, percent: '100.0%' },
          },
        ],
      },
    });
    expect((await clusterAnswering().ask('GET', '/lib/_recovery?active_only')).json).toEqual({});
  });

  test('names the node of the primary that a replica was copied from', async () => {
    const answer = await clusterAnswering('PEER').ask('GET', '/lib/_recovery');
    expect(answer.json).toMatchObject({
      lib: { shards: [{ type: 'PEER', source: { id: NODE_ID, host: '127.0.0.1', name: 'peer-19290' } }] },
    });
    expect((await clusterAnswering('PEER').ask('GET', '/_cat/recovery?h=ty,shost,snode')).text).toBe(
      'peer 127.0.0.1 peer-19290\n',
    );
  });

  test('has a table', async () => {
    expect((await clusterAnswering().ask('GET', '/_cat/recovery?h=i,s,t,ty,st,shost,thost,f,tf,tb,to,top')).text).toBe(
      'lib 0 155ms existing_store done n/a 127.0.0.1 0 4 2048 7 100.0%\n',
    );
  });
});

describe('_shard_stores', () => {
  test('shows by default what is not green', async () => {
    expect((await clusterAnswering().ask('GET', '/_shard_stores')).json).toEqual({ indices: {} });
    expect((await clusterAnswering().ask('GET', '/_shard_stores?status=all')).json).toMatchObject({
      indices: {
        lib: {
          shards: {
            0: { stores: [{ [NODE_ID]: { name: 'peer-19290' }, allocation_id: ALLOCATION_ID, allocation: 'primary' }] },
          },
        },
      },
    });
  });

  test('refuses a status that is none', async () => {
    expect((await clusterAnswering().ask('GET', '/_shard_stores?status=foo')).text).toContain(
      'unknown cluster health status [foo]',
    );
  });
});

describe('_block', () => {
  test('is a setting of the index', async () => {
    const cluster = new RecordedCluster(twoIndices);
    expect((await cluster.ask('PUT', '/lib/_block/write')).json).toEqual({
      acknowledged: true,
      shards_acknowledged: true,
      indices: [{ name: 'lib', blocked: true }],
    });
    expect(cluster.calls).toMatchObject([
      { method: 'updateIndexSettings', request: { indices: ['lib'], settings: { 'index.blocks.write': true } } },
    ]);
  });

  test('is removed by taking the setting away', async () => {
    const cluster = new RecordedCluster(twoIndices);
    expect((await cluster.ask('DELETE', '/lib/_block/write')).json).toEqual({
      acknowledged: true,
      indices: [{ name: 'lib', unblocked: true }],
    });
    expect(cluster.calls).toMatchObject([{ request: { indices: ['lib'], settings: { 'index.blocks.write': null } } }]);
  });

  test.each([
    ['/lib/_block/foo', 400, 'No block found with name foo'],
    ['/lib/_block/read_only_allow_delete', 400, 'read_only_allow_delete block is for internal use only'],
    ['/nothere/_block/write', 404, 'no such index [nothere]'],
  ])('%s is refused', async (path, status, reason) => {
    const cluster = new RecordedCluster(twoIndices);
    const answer = await cluster.ask('PUT', path);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(reason);
    expect(cluster.calls).toEqual([]);
  });
});

test('_nodes/reload_secure_settings knows no password', async () => {
  const cluster = new RecordedCluster();
  expect((await cluster.ask('POST', '/_nodes/reload_secure_settings')).json).toMatchObject({
    nodes: { [NODE_ID]: { name: 'peer-19290' } },
  });
  const answer = await cluster.ask('POST', '/_nodes/_local/reload_secure_settings', { secure_settings_password: 'x' });
  expect(answer.json).toMatchObject({
    nodes: { [NODE_ID]: { reload_exception: { type: 'security_exception' } } },
  });
});

test('_remote/info has no cluster to show', async () => {
  expect((await new RecordedCluster().ask('GET', '/_remote/info')).json).toEqual({});
});
