import { createMemoryDisk } from '@shoal/runtime';
import { parseMapping } from '@shoal/schema';
import { storedFieldsOf } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import type { Shard } from '../contract/shard.ts';
import { createTestRuntime, index, openTestShard, sourceOf } from '../lifecycle/shard-fixture.test-support.ts';

const json = (source: object) => ({
  _source: source,
  properties: {
    t: { type: 'text', store: true },
    k: { type: 'keyword', store: true, copy_to: 'all' },
    all: { type: 'text', store: true },
  },
});

/** Stored fields of a document that was written just now, refreshed, merged, and recovered after a crash. */
async function fieldsOverTime(source: object): Promise<readonly unknown[]> {
  const mapping = parseMapping(json(source));
  const runtime = createTestRuntime(createMemoryDisk());
  const open = (bootstrap: 'create' | 'existing'): Promise<Shard> =>
    openTestShard(runtime, { mapping: json(source), bootstrap });
  let shard = await open('create');
  const fields = (realtime: boolean): unknown => {
    const hit = shard.get({ id: '1', realtime });
    return hit === null ? null : storedFieldsOf(mapping, hit, ['t', 'k', 'all']);
  };
  await shard.write([index('1', { t: ['a b', 'c'], k: 'x' })]);
  const seen = [fields(true)];
  await shard.refresh();
  seen.push(fields(false));
  await shard.write([index('2', { k: 'y' })]);
  await shard.refresh();
  await shard.forceMerge({ segmentsMax: 1, onlyExpungeDeletes: false }, true);
  seen.push(fields(false));
  await shard.write([index('3', { t: 'z' })]);
  await shard.close();
  shard = await open('existing');
  seen.push(fields(true));
  expect(sourceOf(shard, '1')).toBe('enabled' in source ? null : '{"k":"x"}');
  await shard.close();
  return seen;
}

describe('stored fields that the source leaves out', () => {
  test.each([[{ excludes: ['t'] }], [{ includes: ['k'] }], [{ enabled: false }]])(
    'outlive refresh, merge and recovery: %j',
    async (source) => {
      const all = { t: ['a b', 'c'], k: ['x'], all: ['x'] };
      expect(await fieldsOverTime(source)).toEqual([all, all, all, all]);
    },
  );
});
