import { createMemoryDisk } from '@shoal/runtime';
import type { QueryShardRequest, ShardQueryResult, WriteOperation } from '@shoal/shard-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { shardRequest } from '../../phases/query/memory-searcher.test-support.ts';
import type { Shard } from '../contract/shard.ts';
import { openShard } from '../lifecycle/open-shard.ts';
import { createTestRuntime, index, remove, shardOptions } from '../lifecycle/shard-fixture.test-support.ts';

const NEVER = { isStopped: false };
const NOW = Date.parse('2024-05-06T07:08:09Z');
const DAY_MS = 86_400_000;

const mapping = {
  properties: {
    tag: { type: 'keyword' },
    n: { type: 'long' },
    at: { type: 'date' },
    title: { type: 'text' },
    parts: { type: 'nested', properties: { name: { type: 'keyword' }, at: { type: 'date' } } },
  },
};

async function open(
  more: { readonly settings?: Record<string, string>; readonly bytesMax?: number } = {},
): Promise<Shard> {
  const { settings = {}, bytesMax = 1_000_000 } = more;
  const memory = createSegmentMemory({ bytesMax: 64 * 1024 * 1024, requestCacheBytesMax: bytesMax });
  return openShard(createTestRuntime(createMemoryDisk()), shardOptions({ mapping, settings }), memory);
}

async function written(more: Parameters<typeof open>[0] = {}): Promise<Shard> {
  const shard = await open(more);
  const at = new Date(NOW - DAY_MS).toISOString();
  await shard.write([index('1', { tag: 'a', n: 1, at, title: 'one two' }), index('2', { tag: 'b', n: 2, at })]);
  await shard.refresh();
  return shard;
}

/** A request with the bytes under which its answer is cached. */
function asked(body: unknown, given: Partial<QueryShardRequest> = {}): QueryShardRequest {
  const packed = { search: new TextEncoder().encode(JSON.stringify(body)), aliasFilter: null };
  return shardRequest(body, { topN: 0, nowMs: NOW, packed, ...given });
}

const SUM = { size: 0, aggs: { tags: { terms: { field: 'tag' }, aggs: { sum: { sum: { field: 'n' } } } } } };

/** Hits and misses that the requests count, one after the other. */
async function counted(shard: Shard, ...requests: readonly QueryShardRequest[]): Promise<string> {
  const counts: string[] = [];
  for (const request of requests) {
    const before = shard.stats();
    await shard.query(request, NEVER);
    const after = shard.stats();
    const hits = after.requestCacheHits - before.requestCacheHits;
    const misses = after.requestCacheMisses - before.requestCacheMisses;
    counts.push(hits + misses === 0 ? 'not cached' : hits > 0 ? 'hit' : 'miss');
  }
  return counts.join(', ');
}

async function shown(shard: Shard, operation: WriteOperation): Promise<void> {
  await shard.write([operation]);
  await shard.refresh();
}

describe('the request cache', () => {
  test('answers a search without hits that is asked again, and no other', async () => {
    const shard = await written();
    expect(await counted(shard, asked(SUM), asked(SUM), asked({ size: 0 }), asked(SUM))).toBe('miss, hit, miss, hit');
    expect(await shard.query(asked(SUM), NEVER)).toEqual(await shard.query(asked(SUM, { usesCache: false }), NEVER));
    expect(shard.stats()).toMatchObject({ queryTotal: 6, requestCacheEvictions: 0 });
    expect(shard.stats().requestCacheBytes).toBeGreaterThan(0);
    await shard.close();
  });

  test('tells requests apart by the page, the alias filter and the boost of the index', async () => {
    const shard = await written();
    const filter = (bytes: string) => ({ search: new Uint8Array(1), aliasFilter: new TextEncoder().encode(bytes) });
    const requests = [
      asked({}),
      asked({}, { topN: 1, usesCache: true }),
      asked({}, { topN: 2, usesCache: true }),
      asked({}, { topN: 2, usesCache: true, shardIndex: 3 }),
      asked({}, { indexBoost: 2 }),
      asked({}, { packed: filter('x') }),
      asked({}, { packed: filter('y') }),
    ];
    expect(await counted(shard, ...requests)).toBe('miss, miss, miss, miss, miss, miss, miss');
    expect(await counted(shard, ...requests)).toBe('hit, hit, hit, hit, hit, hit, hit');
    await shard.close();
  });

  test.each<[string, (shard: Shard) => Promise<void> | void]>([
    ['a write is shown', (shard) => shown(shard, index('3', { tag: 'c' }))],
    ['a delete is shown', (shard) => shown(shard, remove('1'))],
    ['the mapping changes', (shard) => shard.updateMapping(mapping)],
    ['the settings change', (shard) => shard.updateSettings({ 'index.max_terms_count': '7' })],
    ['the aliases change', (shard) => shard.updateAliases(['other'])],
    ['it is cleared', (shard) => shard.clearCaches({ query: false, fielddata: false, request: true, fields: [] })],
  ])('forgets its answers when %s', async (_, change) => {
    const shard = await written();
    await shard.query(asked(SUM), NEVER);
    await change(shard);
    expect(shard.stats().requestCacheBytes).toBe(0);
    expect(await counted(shard, asked(SUM), asked(SUM))).toBe('miss, hit');
    await shard.close();
  });

  test('keeps no answer of a search that was still running when it was cleared', async () => {
    const shard = await written();
    const running = shard.query(asked(SUM), NEVER);
    await Promise.resolve();
    shard.updateAliases(['other']);
    await running;
    expect(shard.stats().requestCacheBytes).toBe(0);
    await shard.close();
  });

  test.each<[string, unknown, Partial<QueryShardRequest>]>([
    ['hits, where the request does not say', {}, { topN: 1 }],
    ['a request that does not want it', SUM, { usesCache: false }],
    ['a profile', { ...SUM, profile: true }, {}],
    ['statistics of other shards', SUM, { statistics: new Uint8Array([0]) }],
    ['a request without its bytes', SUM, { packed: null }],
    ['`now` in a range', { size: 0, query: { range: { at: { gte: 'now-1d/d' } } } }, {}],
    ['`now` in a query string', { size: 0, query: { query_string: { query: 'at:[now-1d TO now]' } } }, {}],
    ['`now` in an aggregation', { size: 0, aggs: { r: { date_range: { field: 'at', ranges: [{ to: 'now' }] } } } }, {}],
    ['random scores', { query: { function_score: { random_score: {} } } }, { topN: 1, usesCache: true }],
  ])('has no part in %s', async (_, body, given) => {
    const shard = await written();
    const request = asked(body, given);
    if (request.statistics !== null) {
      const own = await shard.statistics(asked(SUM));
      expect(await counted(shard, asked(body, { statistics: own }), asked(body, { statistics: own }))).toBe(
        'not cached, not cached',
      );
    } else {
      expect(await counted(shard, request, request)).toBe('not cached, not cached');
    }
    await shard.close();
  });

  test('keeps dates that do not say `now`', async () => {
    const shard = await written();
    const histogram = { date_histogram: { field: 'at', fixed_interval: '1h', missing: '2024-01-01T00:00:00Z' } };
    const range = { range: { at: { gte: '2024-05-05||/d', lt: '2024-05-07' } } };
    const request = asked({ size: 0, query: range, aggs: { known: histogram } });
    expect(await counted(shard, request, request)).toBe('miss, hit');
    await shard.close();
  });

  test('is left out by `index.requests.cache.enable`, but not for a request that wants it', async () => {
    const shard = await written({ settings: { 'index.requests.cache.enable': 'false' } });
    expect(await counted(shard, asked(SUM), asked(SUM))).toBe('not cached, not cached');
    const wanted = asked({}, { topN: 2, usesCache: true });
    expect(await counted(shard, wanted, wanted)).toBe('miss, hit');
    const hits = await shard.query(wanted, NEVER);
    const { contextId, ords } = hits;
    const fetch = { contextId: contextId ?? -1, ords, consumed: null, request: null };
    expect((await shard.fetch(fetch, NEVER)).map(({ id }) => id)).toEqual(['1', '2']);
    await shard.close();
  });

  test('keeps what is asked of nested objects, unless it depends on the moment', async () => {
    const shard = await written();
    const within = (query: unknown) => asked({ size: 0, query: { nested: { path: 'parts', query } } });
    const named = within({ term: { 'parts.name': 'a' } });
    const counts = { parts: { nested: { path: 'parts' }, aggs: { names: { terms: { field: 'parts.name' } } } } };
    const below = asked({ size: 0, aggs: counts });
    const recent = within({ range: { 'parts.at': { gte: 'now-2d' } } });
    expect(await counted(shard, named, named, below, below)).toBe('miss, hit, miss, hit');
    expect(await counted(shard, recent, recent)).toBe('not cached, not cached');
    await shard.close();
  });

  test('holds no more than it may, and counts what it evicts', async () => {
    const shard = await written({ bytesMax: 5_000 });
    for (let n = 0; n < 50; n++) await shard.query(asked({ size: 0, query: { term: { n } } }), NEVER);
    const { requestCacheBytes, requestCacheEvictions, requestCacheMisses } = shard.stats();
    expect(requestCacheBytes).toBeLessThanOrEqual(5_000);
    expect(requestCacheEvictions).toBeGreaterThan(40);
    expect(requestCacheMisses).toBe(50);
    await shard.close();
  });
});

const BODIES: readonly unknown[] = [
  SUM,
  { size: 0, query: { term: { tag: 'a' } }, aggs: { n: { stats: { field: 'n' } } } },
  { size: 0, query: { range: { at: { gte: 'now-2d' } } } },
  { size: 0, query: { match: { title: 'one' } }, track_total_hits: 1 },
  { sort: [{ n: 'desc' }] },
  { query: { match: { title: 'one two' } } },
  { query: { match_all: {} }, collapse: { field: 'tag' } },
];

const doc = fc.record({
  tag: fc.constantFrom('a', 'b', 'c'),
  n: fc.integer({ min: 0, max: 9 }),
  at: fc.integer({ min: NOW - 4 * DAY_MS, max: NOW }),
  title: fc.constantFrom('one', 'two', 'one two'),
});
const id = fc.constantFrom('1', '2', '3', '4', '5');
const step = fc.oneof(
  fc.record({ kind: fc.constant('index' as const), id, doc }),
  fc.record({ kind: fc.constant('remove' as const), id }),
  fc.record({ kind: fc.constant('refresh' as const) }),
  fc.record({ kind: fc.constant('flush' as const) }),
  fc.record({ kind: fc.constant('later' as const), days: fc.integer({ min: 0, max: 3 }) }),
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('search' as const), at: fc.nat(BODIES.length - 1) }) },
);

test('whatever is written, refreshed and asked: an answer is the same with the cache and without', async () => {
  let hits = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const shard = await open({ bytesMax: 20_000 });
      let nowMs = NOW;
      for (const each of steps) {
        if (each.kind === 'index') await shard.write([index(each.id, each.doc)]);
        else if (each.kind === 'remove') await shard.write([remove(each.id)]);
        else if (each.kind === 'refresh') await shard.refresh();
        else if (each.kind === 'flush') await shard.flush(true);
        else if (each.kind === 'later') nowMs += each.days * DAY_MS;
        else {
          const body = BODIES[each.at] as { readonly size?: number };
          const topN = body.size === 0 ? 0 : 3;
          const cached = await shard.query(asked(body, { topN, nowMs, usesCache: true }), NEVER);
          const plain = await shard.query(asked(body, { topN, nowMs, usesCache: false }), NEVER);
          expect(withoutContext(cached)).toEqual(withoutContext(plain));
        }
      }
      hits += shard.stats().requestCacheHits;
      await shard.close();
    }),
    { numRuns: 60, seed: 7 },
  );
  expect(hits).toBeGreaterThan(50);
});

function withoutContext({ contextId, ...result }: ShardQueryResult): unknown {
  return { ...result, isFound: contextId !== null };
}
