import { createMemoryDisk } from '@shoal/runtime';
import { mergeMapping } from '@shoal/schema';
import type { WriteResult } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import { createTestRuntime, index, openTestShard, shown } from '../lifecycle/shard-fixture.test-support.ts';

describe('documents that each bring a field of their own', () => {
  test('are taken up to the limit of fields with one update, and the rest refused one by one', async () => {
    const settings = { 'index.mapping.total_fields.limit': '100' };
    const shard = await openTestShard(createTestRuntime(createMemoryDisk()), { settings, mapping: {} });
    const operations = Array.from({ length: 5_000 }, (_, n) => index(`${n}`, { [`f${n}`]: n }));
    const results: WriteResult[] = [];
    let mapping: Readonly<Record<string, unknown>> = {};
    let updates = 0;
    while (results.length < operations.length) {
      const outcome = await shard.write(operations.slice(results.length));
      results.push(...outcome.results);
      if (outcome.mappingUpdate === null) continue;
      updates++;
      mapping = mergeMapping(mapping, outcome.mappingUpdate);
      shard.updateMapping(mapping);
    }
    expect(updates).toBe(1);
    expect(results.slice(0, 100).map(shown)).toEqual(Array.from({ length: 100 }, () => 'created'));
    expect(new Set(results.slice(100).map(shown))).toEqual(
      new Set(['illegal_argument_exception: Limit of total fields [100] has been exceeded']),
    );
    await shard.close();
  });
});
