import { createMemoryDisk } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { createSegmentMemory, type ThreadMemory } from '../../memory/thread-memory.ts';
import { shardRequest } from '../../phases/query/memory-searcher.test-support.ts';
import type { Shard } from '../contract/shard.ts';
import { openShard } from './open-shard.ts';
import { createTestRuntime, index, shardOptions } from './shard-fixture.test-support.ts';

const NEVER = { isStopped: false };
const DOCS = 600;

interface Filled {
  readonly shard: Shard;
  readonly memory: ThreadMemory;
}

/** Two segments, so that the terms of a field have numbers in common. */
async function filled(): Promise<Filled> {
  const memory = createSegmentMemory({ bytesMax: 64 * 1024 * 1024 });
  const mapping = { properties: { tag: { type: 'keyword' }, other: { type: 'keyword' } } };
  const shard = await openShard(createTestRuntime(createMemoryDisk()), shardOptions({ mapping }), memory);
  for (const first of [0, DOCS]) {
    const docs = Array.from({ length: DOCS }, (_, i) =>
      index(`${first + i}`, { tag: `t${first + i}`, other: `o${i}` }),
    );
    await shard.write(docs);
    await shard.refresh();
  }
  return { shard, memory };
}

async function aggregate(shard: Shard, field: string): Promise<void> {
  const request = shardRequest({ size: 0, aggs: { terms: { terms: { field, size: 10 } } } }, { topN: 0 });
  await shard.query(request, NEVER);
}

test('memory that terms hold over segments is counted by field, and cleared by field', async () => {
  const { shard, memory } = await filled();
  expect(shard.fielddata().size).toBe(0);
  await aggregate(shard, 'tag');
  await aggregate(shard, 'other');
  const held = shard.fielddata();
  expect([...held.keys()].sort()).toEqual(['other', 'tag']);
  const sum = [...held.values()].reduce((a, b) => a + b, 0);
  expect(sum).toBe(memory.unions.usedBytes);
  expect(shard.stats()).toMatchObject({ fielddataBytes: sum, fielddataEvictions: 0 });
  shard.clearCaches({ query: true, fielddata: false, request: true, fields: [] });
  expect(shard.fielddata().size).toBe(2);
  shard.clearCaches({ query: false, fielddata: true, request: false, fields: ['tag'] });
  expect([...shard.fielddata().keys()]).toEqual(['other']);
  shard.clearCaches({ query: false, fielddata: true, request: false, fields: [] });
  expect(shard.stats().fielddataBytes).toBe(0);
  await aggregate(shard, 'tag');
  expect([...shard.fielddata().keys()]).toEqual(['tag']);
  await shard.close();
});

test('terms that are told apart by their texts load nothing, and count the same', async () => {
  const { shard } = await filled();
  const ask = async (options: object): Promise<string> => {
    const request = shardRequest(
      { size: 0, aggs: { t: { terms: { field: 'tag', size: 2_000, ...options } } } },
      { topN: 0 },
    );
    return Buffer.from((await shard.query(request, NEVER)).aggregations ?? []).toString('hex');
  };
  const texts = await ask({ execution_hint: 'map' });
  expect(shard.fielddata().size).toBe(0);
  expect(await ask({ execution_hint: 'global_ordinals' })).toBe(texts);
  expect(shard.fielddata().size).toBe(1);
  await shard.close();
});

test('a shard that is closed holds none', async () => {
  const { shard, memory } = await filled();
  await aggregate(shard, 'tag');
  await shard.close();
  expect(memory.unions.usedBytes).toBe(0);
  expect(shard.fielddata().size).toBe(0);
});
