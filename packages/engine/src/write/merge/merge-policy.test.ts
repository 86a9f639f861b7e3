import { describe, expect, test } from 'vitest';
import { chooseMerge, type MergeCandidate } from './merge-policy.ts';

const MB = 1024 * 1024;
const segment = (megabytes: number, more: Partial<MergeCandidate> = {}): MergeCandidate => ({
  sizeBytes: megabytes * MB,
  docCount: 1000,
  liveCount: 1000,
  ...more,
});

describe('the merge policy', () => {
  test('waits until eight segments of about one size are there, the large ones left alone', () => {
    const small = Array.from({ length: 7 }, () => segment(0.1));
    expect(chooseMerge([segment(300), ...small])).toEqual([]);
    expect(chooseMerge([segment(300), ...small, segment(0.5)])).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('leaves out what outweighs all smaller ones together', () => {
    const small = Array.from({ length: 7 }, () => segment(0.1));
    expect(chooseMerge([segment(1), ...small])).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const doubling = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28];
    expect(chooseMerge(doubling.map((size) => segment(size)))).toEqual([0, 1]);
  });

  test.each([0.02, 0.1, 1, 5])('keeps few segments at little cost when every refresh brings %f MB', (size) => {
    const total = 100;
    let sizes: number[] = [];
    let written = 0;
    for (let sum = 0; sum < total; sum += size) {
      sizes.push(size);
      for (;;) {
        const chosen = chooseMerge(sizes.map((megabytes) => segment(megabytes)));
        if (chosen.length === 0) break;
        const merged = chosen.reduce((bytes, i) => bytes + (sizes[i] as number), 0);
        written += merged;
        sizes = [...sizes.filter((_, i) => !chosen.includes(i)), merged];
      }
      expect(sizes.length).toBeLessThanOrEqual(15);
    }
    expect(written / total).toBeLessThan(size < 0.1 ? 8 : 5);
  });

  test('rewrites a segment that is mostly deleted', () => {
    expect(chooseMerge([segment(300), segment(50, { liveCount: 600 })])).toEqual([1]);
  });

  test('makes nothing larger than the limit, which grows with the shard', () => {
    expect(chooseMerge(Array.from({ length: 10 }, () => segment(10)))).toHaveLength(6);
    expect(chooseMerge(Array.from({ length: 3 }, () => segment(30)))).toHaveLength(2);
    expect(chooseMerge(Array.from({ length: 2 }, () => segment(30)))).toEqual([]);
    expect(chooseMerge(Array.from({ length: 3 }, () => segment(60)))).toEqual([]);
    expect(chooseMerge(Array.from({ length: 20 }, () => segment(60)))).toHaveLength(5);
    expect(chooseMerge(Array.from({ length: 3 }, () => segment(800)))).toEqual([]);
  });
});
