import type { SnapshotInfo, SnapshotState } from '@shoal/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expiredSnapshots } from './expired-snapshots.ts';

function snapshot(name: string, startMs: number, state: SnapshotState = 'SUCCESS'): SnapshotInfo {
  return {
    ...{ name, uuid: name, state, version: '8.17.0', reason: null, indices: [], dataStreams: [] },
    ...{ includesGlobalState: false, userMetadata: null, startMs, endMs: startMs, totalShards: 1, failures: [] },
  };
}

const NONE = { expireAfterMs: null, minCount: null, maxCount: null };
const names = (found: readonly SnapshotInfo[]): readonly string[] => found.map(({ name }) => name);
const three = [snapshot('c', 30), snapshot('a', 10), snapshot('b', 20)];

describe('snapshots of a policy', () => {
  test('stay without a rule', () => {
    expect(expiredSnapshots(three, NONE, 1_000)).toEqual([]);
  });

  test('go when they are too old, but for the newest that are kept whatever their age', () => {
    expect(names(expiredSnapshots(three, { ...NONE, expireAfterMs: 75 }, 100))).toEqual(['a', 'b']);
    expect(names(expiredSnapshots(three, { ...NONE, expireAfterMs: 5, minCount: 2 }, 100))).toEqual(['a']);
  });

  test('go when there are too many, the oldest first', () => {
    expect(names(expiredSnapshots(three, { ...NONE, maxCount: 1 }, 100))).toEqual(['a', 'b']);
  });

  test('that are not whole go by their age alone, and those that are made stay', () => {
    const more = [snapshot('f', 5, 'FAILED'), snapshot('p', 90, 'PARTIAL'), snapshot('i', 1, 'IN_PROGRESS')];
    expect(names(expiredSnapshots(more, { ...NONE, expireAfterMs: 50, minCount: 5 }, 100))).toEqual(['f']);
    expect(expiredSnapshots(more, { ...NONE, maxCount: 1 }, 100)).toEqual([]);
  });

  test('never go below the least number, nor stay above the largest', () => {
    const times = fc.uniqueArray(fc.integer({ min: 0, max: 1_000 }), { maxLength: 20 });
    const counts = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 10 }));
    fc.assert(
      fc.property(times, counts, fc.integer({ min: 0, max: 1_000 }), (all, [minCount, more], expireAfterMs) => {
        const maxCount = minCount + more;
        const found = all.map((ms) => snapshot(String(ms), ms));
        const gone = new Set(names(expiredSnapshots(found, { expireAfterMs, minCount, maxCount }, 1_000)));
        const kept = found.filter(({ name }) => !gone.has(name));
        expect(kept.length).toBeGreaterThanOrEqual(Math.min(minCount, all.length));
        expect(kept.length).toBeLessThanOrEqual(maxCount);
        const oldestKept = Math.min(...kept.map(({ startMs }) => startMs));
        expect([...gone].every((name) => Number(name) < oldestKept)).toBe(true);
      }),
    );
  });
});
