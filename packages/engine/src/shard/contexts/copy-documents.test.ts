import { murmur3, shardIdForHash } from '@shoal/core';
import { createMemoryDisk } from '@shoal/runtime';
import { type CopiedDocuments, PackedOperations, type WriteOperation } from '@shoal/shard-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Shard } from '../contract/shard.ts';
import { createTestRuntime, index, openTestShard, remove, writeOne } from '../lifecycle/shard-fixture.test-support.ts';

/** All pages of what goes to one shard. */
async function copied(shard: Shard, to: { shard: number; numberOfShards: number }): Promise<readonly WriteOperation[]> {
  const operations: WriteOperation[] = [];
  let next: CopiedDocuments['next'] | undefined;
  while (next !== null) {
    const page = await shard.copyDocuments({
      contextId: next?.contextId ?? null,
      fromDoc: next?.fromDoc ?? 0,
      to: { ...to, routingNumShards: 16 },
    });
    expect(PackedOperations.read(page.operations)).toHaveLength(page.count);
    operations.push(...PackedOperations.read(page.operations));
    next = page.next;
  }
  expect(shard.stats().openContexts).toBe(0);
  return operations;
}

const write = fc.record({
  id: fc.integer({ min: 0, max: 12 }).map(String),
  routing: fc.constantFrom(null, 'r1', 'r2'),
  deletes: fc.boolean(),
  refreshes: fc.boolean(),
});

describe('documents copied to the shards of a new index', () => {
  test('are every live document once, where its hash lands, with its version', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 30 }), fc.constantFrom(1, 2, 4, 8), async (writes, shards) => {
        const shard = await openTestShard(createTestRuntime(createMemoryDisk()));
        for (const { id, routing, deletes, refreshes } of writes) {
          await writeOne(shard, deletes ? remove(id) : index(id, { n: Number(id) }, { routing }));
          if (refreshes) await shard.refresh();
        }
        await shard.refresh();
        const expected = Array.from({ length: 13 }, (_, id) => shard.get({ id: String(id), realtime: true })).flatMap(
          (hit) => (hit === null ? [] : [[hit.id, hit.routing, hit.version, Buffer.from(hit.source ?? []).toString()]]),
        );
        const found: unknown[][] = [];
        for (let to = 0; to < shards; to++) {
          for (const operation of await copied(shard, { shard: to, numberOfShards: shards })) {
            const { id, routing, conditions } = operation;
            const hash = murmur3(routing ?? id);
            expect(shardIdForHash({ numberOfShards: shards, routingNumShards: 16 }, hash)).toBe(to);
            const source = operation.kind === 'index' ? Buffer.from(operation.source).toString() : null;
            found.push([id, routing, conditions.version, source]);
          }
        }
        const byId = (a: unknown[], b: unknown[]): number => Number(a[0]) - Number(b[0]);
        expect(found.sort(byId)).toEqual(expected.sort(byId));
        await shard.close();
      }),
      { numRuns: 30 },
    );
  });

  test('come in pages of one point in time: what is written between two is in none', async () => {
    const shard = await openTestShard(createTestRuntime(createMemoryDisk()));
    const long = 'x'.repeat(400_000);
    for (let i = 0; i < 8; i++) await writeOne(shard, index(String(i), { title: long }));
    const to = { shard: 0, numberOfShards: 1, routingNumShards: 16 };
    const first = await shard.copyDocuments({ contextId: null, fromDoc: 0, to });
    expect(first.count).toBe(3);
    await writeOne(shard, index('late', { n: 1 }));
    await shard.refresh();
    await shard.forceMerge({ segmentsMax: 1, onlyExpungeDeletes: false }, true);
    let { count, next } = first;
    while (next !== null) {
      const page: CopiedDocuments = await shard.copyDocuments({ ...next, to });
      count += page.count;
      next = page.next;
    }
    expect(count).toBe(8);
  });
});
