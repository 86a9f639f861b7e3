import { createMemoryDisk } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { shardRequest } from '../../phases/query/memory-searcher.test-support.ts';
import type { QueryShardRequest, Shard } from '../contract/shard.ts';
import { openShard } from './open-shard.ts';
import { createTestRuntime, index, shardOptions, type TestRuntime } from './shard-fixture.test-support.ts';

const RUNNING = { isStopped: false };

const request = (query: unknown, more: object = {}, keepAliveMs = 60_000): QueryShardRequest =>
  shardRequest({ query, ...more }, { keepAliveMs });

async function lib(): Promise<{ readonly shard: Shard; readonly runtime: TestRuntime }> {
  const runtime = createTestRuntime(createMemoryDisk());
  const shard = await openShard(runtime, shardOptions());
  await shard.write([
    index('1', { title: 'The quick brown fox', tag: 'a', n: 1 }),
    index('2', { title: 'A lazy brown dog', tag: 'b', n: 2 }),
  ]);
  await shard.refresh();
  await shard.write([index('4', { title: 'quick quick red fox', tag: 'a', n: 4 })]);
  await shard.refresh();
  return { shard, runtime };
}

async function search(shard: Shard, query: unknown, more: object = {}): Promise<readonly string[]> {
  const body = request(query, more);
  const { contextId, ords } = await shard.query(body, RUNNING);
  if (contextId === null) return [];
  const hits = await shard.fetch({ contextId, ords, consumed: null, request: null }, RUNNING);
  return hits.map((hit) => hit.id);
}

describe('an open shard', () => {
  test('is searched over all its segments', async () => {
    const { shard } = await lib();
    expect(await search(shard, { match: { title: 'quick' } })).toEqual(['4', '1']);
    expect(await search(shard, { match_phrase: { title: 'brown fox' } })).toEqual(['1']);
    expect(await search(shard, { term: { tag: 'a' } }, { sort: [{ n: 'desc' }] })).toEqual(['4', '1']);
    expect(await search(shard, { range: { n: { gte: 2 } } }, { sort: ['n'] })).toEqual(['2', '4']);
    expect(await search(shard, { exists: { field: 'n' } }, { sort: ['n'] })).toEqual(['1', '2', '4']);
    expect(await search(shard, { match: { title: 'nothing' } })).toEqual([]);
    expect(shard.stats()).toMatchObject({ queryTotal: 6, fetchTotal: 5, openContexts: 0 });
    await shard.close();
  });

  test('answers a fetch from the moment of its query, whatever was written since', async () => {
    const { shard } = await lib();
    const body = request({ match: { title: 'lazy' } });
    const { contextId, ords } = await shard.query(body, RUNNING);
    await shard.write([index('2', { title: 'gone' })]);
    await shard.refresh();
    const page = { contextId: contextId ?? -1, ords, consumed: null, request: null };
    const [hit] = await shard.fetch(page, RUNNING);
    expect(new TextDecoder().decode(hit?.source ?? new Uint8Array())).toContain('A lazy brown dog');
    expect(await search(shard, { match: { title: 'lazy' } })).toEqual([]);
    await shard.close();
  });

  test('keeps the context of documents that were too large to be sent, for another fetch', async () => {
    const { shard } = await lib();
    const { contextId, ords } = await shard.query(request({ match_all: {} }), RUNNING);
    const page = { contextId: contextId ?? -1, ords, consumed: null, request: null };
    const bytes = 20;
    expect(await shard.fetchWithin(page, RUNNING, bytes)).toBeNull();
    expect(shard.stats()).toMatchObject({ openContexts: 1, fetchTotal: 0, fetchCurrent: 0 });
    const [first] = ords;
    const one = await shard.fetchWithin({ ...page, ords: Uint32Array.of(first ?? 0) }, RUNNING, 1_000);
    expect(one).toHaveLength(1);
    expect(shard.stats()).toMatchObject({ openContexts: 0, fetchTotal: 1 });
    await shard.close();
  });

  test('forgets a context that nobody fetches from, and after its fetch', async () => {
    const { shard, runtime } = await lib();
    const body = request({ match_all: {} }, {}, 5_000);
    const { contextId, ords } = await shard.query(body, RUNNING);
    expect(shard.stats().openContexts).toBe(1);
    for (let i = 0; i < 6; i++) await runtime.advance(1_000);
    expect(shard.stats().openContexts).toBe(0);
    const page = { contextId: contextId ?? -1, ords, consumed: null, request: null };
    await expect(shard.fetch(page, RUNNING)).rejects.toThrow(`No search context found for id [${contextId}]`);
    await shard.close();
  });
});
