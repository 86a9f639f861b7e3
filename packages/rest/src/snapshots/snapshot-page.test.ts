import { RequestParameters } from '@shoal/http';
import type { SnapshotInfo } from '@shoal/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PAGE_PARAMETERS, pageOf, type RepositorySnapshot, type SnapshotPage } from './snapshot-page.ts';

const DECLARED = { ...PAGE_PARAMETERS, verbose: 'boolean' } as const;

function snapshot(name: string, change: Partial<SnapshotInfo> = {}): RepositorySnapshot {
  const info: SnapshotInfo = {
    ...{ name, uuid: name, state: 'SUCCESS', version: '8.17.0', reason: null, indices: [], dataStreams: [] },
    ...{ includesGlobalState: false, userMetadata: null, startMs: 1_000, endMs: 2_000, totalShards: 1, failures: [] },
    ...change,
  };
  return { repository: 'r', info };
}

function page(found: readonly RepositorySnapshot[], params: Readonly<Record<string, string>>): SnapshotPage {
  return pageOf(found, new RequestParameters(new Map(Object.entries(params)), DECLARED));
}

const namesOf = ({ shown }: SnapshotPage): readonly string[] => shown.map(({ info }) => info.name);

describe('a page of snapshots', () => {
  test('is in the order of their starts, and of their names where those are the same', () => {
    const found = [snapshot('c', { startMs: 1 }), snapshot('b'), snapshot('a')];
    expect(namesOf(page(found, {}))).toEqual(['c', 'a', 'b']);
    expect(namesOf(page(found, { order: 'desc' }))).toEqual(['b', 'a', 'c']);
  });

  test.each([
    ['duration', { endMs: 9_000 }],
    ['index_count', { indices: ['x'] }],
    ['shard_count', { totalShards: 5 }],
    ['failed_shard_count', { failures: [{ index: 'x', shard: 0, nodeId: null, reason: '' }] }],
  ])('sorts by %s', (sort, more) => {
    expect(namesOf(page([snapshot('a', more), snapshot('b')], { sort }))).toEqual(['b', 'a']);
  });

  test('follows on another by its token, whatever the size and the order', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 12 });
    const orders = fc.constantFrom('asc', 'desc');
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 5 }), orders, (all, size, order) => {
        const found = all.map((name, i) => snapshot(name, { startMs: i % 3 }));
        const seen: string[] = [];
        let params: Record<string, string> = { size: String(size), order };
        for (let pages = 0; pages <= all.length; pages++) {
          const one = page(found, params);
          expect(one.total).toBe(all.length);
          seen.push(...namesOf(one));
          expect(one.remaining).toBe(all.length - seen.length);
          if (one.next === null) break;
          params = { ...params, after: one.next };
        }
        expect(seen).toEqual(namesOf(page(found, { order })));
      }),
    );
  });

  test('leaves out snapshots of other policies, and of other states', () => {
    const found = [
      snapshot('a', { userMetadata: { policy: 'daily' } }),
      snapshot('b', { userMetadata: { policy: 'hourly' }, state: 'PARTIAL' }),
      snapshot('c'),
    ];
    expect(namesOf(page(found, { slm_policy_filter: '*,-hourly' }))).toEqual(['a']);
    expect(namesOf(page(found, { slm_policy_filter: '_none,hourly' }))).toEqual(['b', 'c']);
    expect(namesOf(page(found, { state: 'partial' }))).toEqual(['b']);
  });

  test('begins at a value of the sort', () => {
    const found = [snapshot('a', { startMs: 5 }), snapshot('b', { startMs: 10 })];
    expect(namesOf(page(found, { from_sort_value: '1970-01-01T00:00:00.010Z' }))).toEqual(['b']);
    expect(namesOf(page(found, { from_sort_value: '6', order: 'desc' }))).toEqual(['a']);
  });

  test.each([
    [{ size: '0' }, 'size must be'],
    [{ offset: '1', after: 'x' }, 'after and offset'],
    [{ sort: 'weight' }, 'unknown sort order [weight]'],
    [{ after: 'x' }, 'invalid [after] parameter [x]'],
    [{ verbose: 'false', sort: 'name' }, "can't use sort with verbose=false"],
    [{ state: 'lost' }, 'SnapshotState.LOST'],
  ])('is refused for %j', (params, reason) => {
    expect(() => page([], params)).toThrow(reason);
  });
});
