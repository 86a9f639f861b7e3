import { describe, expect, test } from 'vitest';
import { type EndedGeneration, type HistoryNeeds, HistoryRetention } from './history-retention.ts';

const MB = 1024 * 1024;
const HOUR_MS = 3_600_000;

/** Four generations of ten operations each; the fifth is written. */
function firstKept(
  needs: HistoryNeeds | null,
  checkpoint: number,
  {
    sizeBytes = MB,
    nowMs = 0,
    keptMs = 12 * HOUR_MS,
  }: { readonly sizeBytes?: number; readonly nowMs?: number; readonly keptMs?: number } = {},
): number {
  const ended = [1, 2, 3, 4].map((generation): EndedGeneration => {
    return { generation, maxSeqNo: generation * 10 - 1, sizeBytes, endedMs: generation * HOUR_MS };
  });
  return new HistoryRetention(needs).firstGeneration(ended, { current: 5, checkpoint, nowMs, keptMs });
}

describe('the first generation of a translog that stays', () => {
  test('is that with the first operation which no commit has, where there is no other copy', () => {
    expect([39, 38, 29, 12, -1].map((checkpoint) => firstKept(null, checkpoint))).toEqual([5, 4, 4, 2, 1]);
  });

  test('has what another copy may lack, however much it is', () => {
    const huge = { sizeBytes: 1_024 * MB, nowMs: 1_000 * HOUR_MS };
    expect(firstKept({ globalCheckpoint: 15, retainedFrom: 40 }, 39, huge)).toBe(2);
    expect(firstKept({ globalCheckpoint: 39, retainedFrom: 40 }, 15, huge)).toBe(2);
    expect(firstKept({ globalCheckpoint: -1, retainedFrom: 40 }, 39, huge)).toBe(1);
  });

  test('has what copies that are away ask for, within its bytes and its age', () => {
    const away = { globalCheckpoint: 39, retainedFrom: 15 };
    expect(firstKept(away, 39)).toBe(2);
    expect(firstKept({ ...away, retainedFrom: 0 }, 39)).toBe(1);
    expect(firstKept(away, 39, { sizeBytes: 256 * MB })).toBe(3);
    expect(firstKept(away, 39, { nowMs: 15.5 * HOUR_MS })).toBe(4);
    expect(firstKept(away, 39, { nowMs: 17 * HOUR_MS })).toBe(5);
    expect(firstKept(away, 39, { nowMs: 17 * HOUR_MS, keptMs: 15 * HOUR_MS })).toBe(2);
  });
});

test('a global checkpoint never falls, also where messages overtake each other', () => {
  const retention = new HistoryRetention(null);
  expect(retention.globalCheckpoint(7)).toBe(7);
  retention.update({ globalCheckpoint: 5, retainedFrom: 3 });
  retention.update({ globalCheckpoint: 4, retainedFrom: 4 });
  expect(retention.globalCheckpoint(7)).toBe(5);
});
