import { CancelSource } from '@shoal/core';
import { BULK_SHARD, GET_DOCUMENTS, QUERY_PHASE, SearchCodec, type ShardTarget } from '@shoal/protocol';
import { searchRequest } from '@shoal/query';
import {
  createInlineWorkers,
  createNodeRuntime,
  createRecordingLog,
  type Disk,
  DiskError,
  type File,
  type Runtime,
} from '@shoal/runtime';
import { packOperations } from '@shoal/shard-api';
import { localConnection, requestWith } from '@shoal/transport';
import { afterEach, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const clusters: TestCluster[] = [];

afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

async function oneNode(options: { readonly runtime?: Runtime; readonly settings?: Record<string, unknown> } = {}) {
  const cluster = new TestCluster();
  clusters.push(cluster);
  const node = await cluster.start('one', options);
  await call(node, 'GET', '/_cluster/health?wait_for_status=green');
  await call(node, 'PUT', '/books', { settings: { number_of_shards: 1 } });
  return node;
}

function targetOf({ node }: TestNode): ShardTarget {
  const state = node.cluster.state();
  const copy = state.routing.indices.get('books')?.[0]?.[0];
  return {
    index: 'books',
    indexUuid: copy?.indexUuid ?? '',
    shard: 0,
    allocationId: copy?.allocationId ?? '',
    stateVersion: state.version,
  };
}

const bulk = { primaryTerm: 1, refresh: 'none' as const, activeCopiesMin: 1, operations: packOperations([]) };
const options = { channel: 'reg', timeoutMs: 5_000 } as const;

describe('a request for a shard', () => {
  test('that is not here is refused so that the coordinator looks again', async () => {
    const one = await oneNode();
    const connection = localConnection(one.node.cluster.transport);
    const get = (target: Partial<ShardTarget>) =>
      requestWith(
        connection,
        GET_DOCUMENTS,
        { target: { ...targetOf(one), ...target }, refresh: false, gets: [] },
        options,
      );
    expect((await get({})).documents).toEqual([]);
    await expect(get({ shard: 7 })).rejects.toMatchObject({ type: 'shard_not_found_exception', status: 404 });
    await expect(get({ allocationId: 'old' })).rejects.toMatchObject({
      type: 'shard_not_found_exception',
      reason: `expected allocation id [old] but found [${targetOf(one).allocationId}]`,
    });
  });

  test('routed by a newer state waits for that state', async () => {
    const one = await oneNode();
    const connection = localConnection(one.node.cluster.transport);
    const target = { ...targetOf(one), stateVersion: one.node.cluster.state().version + 1 };
    let isAnswered = false;
    const answer = requestWith(connection, GET_DOCUMENTS, { target, refresh: false, gets: [] }, options).then(() => {
      isAnswered = true;
    });
    await call(one, 'GET', '/');
    expect(isAnswered).toBe(false);
    await call(one, 'PUT', '/other');
    await answer;
  });

  test('that writes under another primary term is refused', async () => {
    const one = await oneNode();
    const connection = localConnection(one.node.cluster.transport);
    const write = requestWith(connection, BULK_SHARD, { ...bulk, target: targetOf(one), primaryTerm: 9 }, options);
    await expect(write).rejects.toMatchObject({ type: 'shard_not_found_exception' });
    await expect(write).rejects.toThrow('with term [9] but found [1]');
  });

  test('whose sender has gone is not executed', async () => {
    const one = await oneNode();
    const connection = localConnection(one.node.cluster.transport);
    const cancel = new CancelSource();
    const choice = {
      shardIndex: 0,
      reader: null,
      isScroll: false,
      statistics: null,
      indexBoost: 1,
      canSkip: false,
      usesCache: null,
    };
    const search = new SearchCodec().packSearch({ request: searchRequest({}), aggregations: null });
    const query = { search, aliasFilter: null, topN: 1, nowMs: 0, keepAliveMs: 1, ...choice };
    const request = { target: targetOf(one), query, fetchPage: null };
    const answer = requestWith(connection, QUERY_PHASE, request, { ...options, signal: cancel.flag });
    cancel.cancel('client gone');
    await expect(answer).rejects.toMatchObject({ type: 'task_cancelled_exception' });
  });
});

test('writes above the memory that they may hold are refused with 429, and accepted again after', async () => {
  const one = await oneNode({ settings: { 'indexing_pressure.memory.limit': '10kb' } });
  const large = await call(one, 'PUT', '/books/_doc/1', { text: 'x'.repeat(20_000) });
  expect(large.status).toBe(429);
  expect(large.body.error).toMatchObject({ type: 'es_rejected_execution_exception' });
  expect(large.body.error.reason).toContain('rejected execution of primary operation');
  expect((await call(one, 'PUT', '/books/_doc/1', { text: 'x' })).status).toBe(201);
});

/** A disk that can be full: then nothing can be appended. */
class FullDisk {
  isFull = false;

  around(disk: Disk): Disk {
    const check = (path: string): void => {
      if (this.isFull) throw new DiskError('full', path, `${path}: no space left on device`);
    };
    const file = (path: string, inner: File): File => ({
      read: (offset, count) => inner.read(offset, count),
      readIntoSync: (target, offset) => inner.readIntoSync(target, offset),
      sizeBytes: () => inner.sizeBytes(),
      close: () => inner.close(),
      truncate: (size) => inner.truncate(size),
      sync: () => inner.sync(),
      write: async (bytes, offset) => {
        check(path);
        await inner.write(bytes, offset);
      },
      writeSync: (bytes, offset) => {
        check(path);
        inner.writeSync(bytes, offset);
      },
    });
    return {
      readFile: (path) => disk.readFile(path),
      mkdir: (path) => disk.mkdir(path),
      stat: (path) => disk.stat(path),
      exists: (path) => disk.exists(path),
      lock: (path) => disk.lock(path),
      rename: (from, to) => disk.rename(from, to),
      list: (path) => disk.list(path),
      unlink: (path) => disk.unlink(path),
      removeTree: (path) => disk.removeTree(path),
      syncDir: (path) => disk.syncDir(path),
      space: (path) => disk.space(path),
      open: async (path, mode) => file(path, await disk.open(path, mode)),
    };
  }
}

test('a full disk refuses writes in words, and takes them again when there is room', async () => {
  const plain = createNodeRuntime({ log: createRecordingLog() });
  const full = new FullDisk();
  const runtime: Runtime = { ...plain, disk: full.around(plain.disk), workers: createInlineWorkers(() => runtime) };
  const one = await oneNode({ runtime });
  expect((await call(one, 'PUT', '/books/_doc/1', { n: 1 })).status).toBe(201);
  full.isFull = true;
  const refused = await call(one, 'PUT', '/books/_doc/2?timeout=2s', { n: 2 });
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(JSON.stringify(refused.body)).toMatch(/space|full/i);
  full.isFull = false;
  await expect
    .poll(async () => (await call(one, 'PUT', '/books/_doc/3?timeout=5s', { n: 3 })).status, { timeout: 120_000 })
    .toBeLessThan(300);
  await call(one, 'POST', '/books/_refresh');
  expect((await call(one, 'GET', '/books/_doc/1')).body.found).toBe(true);
});

describe('_analyze', () => {
  test('knows the built-in analyzers, those of an index, and those of its fields', async () => {
    const one = await oneNode();
    await call(one, 'PUT', '/texts', {
      settings: {
        analysis: { analyzer: { mine: { type: 'custom', tokenizer: 'whitespace', filter: ['lowercase'] } } },
      },
      mappings: { properties: { title: { type: 'text', analyzer: 'mine' }, tag: { type: 'keyword' } } },
    });
    const tokens = async (path: string, body: unknown): Promise<string[]> =>
      (await call(one, 'POST', path, body)).body.tokens.map((token: { token: string }) => token.token);
    expect(await tokens('/_analyze', { analyzer: 'standard', text: 'A-b C' })).toEqual(['a', 'b', 'c']);
    expect(await tokens('/texts/_analyze', { analyzer: 'mine', text: 'A-b C' })).toEqual(['a-b', 'c']);
    expect(await tokens('/texts/_analyze', { field: 'title', text: 'A-b C' })).toEqual(['a-b', 'c']);
    expect(await tokens('/texts/_analyze', { field: 'tag', text: 'A-b C' })).toEqual(['A-b C']);
    await call(one, 'PUT', '/texts/_settings', { index: { 'analyze.max_token_count': 1 } });
    const refused = await call(one, 'POST', '/texts/_analyze', { analyzer: 'standard', text: 'A-b C' });
    expect(refused).toMatchObject({ status: 400, body: { error: { type: 'illegal_argument_exception' } } });
    expect((await call(one, 'POST', '/_analyze', { analyzer: 'none', text: 'x' })).status).toBe(400);
  });
});
