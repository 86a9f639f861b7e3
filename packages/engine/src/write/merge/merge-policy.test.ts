import { MERGE_POLICY_DEFAULTS, mergePolicySettings } from '@shoal/schema';
import { seededRandom } from '@shoal/simulation';
import { describe, expect, test } from 'vitest';
import { seedsToRun } from '../../../../simulation/src/simulation-seeds.ts';
import { chooseMerge, liveBytes, type MergeCandidate } from './merge-policy.ts';

const MB = 1024 * 1024;
const GB = 1024 * MB;
const segment = (megabytes: number, more: Partial<MergeCandidate> = {}): MergeCandidate => ({
  sizeBytes: megabytes * MB,
  docCount: 1000,
  liveCount: 1000,
  heldBytes: 0,
  sectionBytes: 0,
  ...more,
});
const choose = (
  candidates: readonly MergeCandidate[],
  settings: Readonly<Record<string, string>> = {},
  heldBytesMax = Number.POSITIVE_INFINITY,
): readonly number[] => {
  const named = Object.entries(settings).map(([name, value]) => [`index.merge.policy.${name}`, value]);
  return chooseMerge(candidates, mergePolicySettings(Object.fromEntries(named)), heldBytesMax);
};
const many = (count: number, megabytes: number, more: Partial<MergeCandidate> = {}): readonly MergeCandidate[] =>
  Array.from({ length: count }, () => segment(megabytes, more));

/** The segment that a merge makes. */
function joined(inputs: readonly MergeCandidate[]): MergeCandidate {
  const sum = (of: (input: MergeCandidate) => number): number => inputs.reduce((total, input) => total + of(input), 0);
  const docs = sum(({ liveCount }) => liveCount);
  const held = sum(({ heldBytes }) => heldBytes);
  const section = sum(({ sectionBytes }) => sectionBytes);
  return { sizeBytes: sum(liveBytes), docCount: docs, liveCount: docs, heldBytes: held, sectionBytes: section };
}

/** Merges until the policy is content; adds up what was written. */
function settle(start: readonly MergeCandidate[], heldBytesMax = Number.POSITIVE_INFINITY) {
  let segments = start;
  let writtenBytes = 0;
  for (let rounds = 0; rounds <= start.length * 2; rounds++) {
    const chosen = chooseMerge(segments, MERGE_POLICY_DEFAULTS, heldBytesMax);
    if (chosen.length === 0) return { segments, writtenBytes };
    const merged = joined(chosen.map((i) => segments[i] as MergeCandidate));
    writtenBytes += merged.sizeBytes;
    segments = [...segments.filter((_, i) => !chosen.includes(i)), merged].filter(({ docCount }) => docCount > 0);
  }
  throw new Error('merges have no end');
}

describe('the merge policy', () => {
  test('lets a tier have as many segments as its setting says, the large ones left alone', () => {
    expect(choose([...many(10, 0.1)])).toEqual([]);
    expect(choose([segment(3_000), ...many(10, 0.1)])).toEqual([]);
    expect(choose([segment(3_000), ...many(11, 0.1)])).toHaveLength(10);
    expect(choose(many(11, 0.1), { segments_per_tier: '20', max_merge_at_once: '20' })).toEqual([]);
    expect(choose(many(3, 0.1), { segments_per_tier: '2' })).toHaveLength(2);
    expect(choose(many(4, 0.1), { segments_per_tier: '3' })).toHaveLength(3);
    expect(choose(many(12, 0.1), { max_merge_at_once: '4' })).toHaveLength(4);
  });

  test('takes segments below the floor for one tier', () => {
    const uneven = Array.from({ length: 11 }, (_, i) => segment(0.1 * 1.3 ** i));
    expect(choose(uneven, { floor_segment: '2mb' })).toHaveLength(10);
    expect(choose([segment(1.9), ...many(10, 0.3)])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const sizes = [...many(10, 30), ...many(10, 3)];
    expect(choose(sizes, { floor_segment: '3mb' })).toEqual([]);
    expect(choose(sizes, { floor_segment: '200mb' })).toHaveLength(10);
  });

  test('makes nothing larger than the limit', () => {
    const large = many(60, 700);
    const chosen = choose(large);
    expect(chosen).toHaveLength(7);
    expect(choose(large, { max_merged_segment: '2gb' })).toHaveLength(2);
    expect(choose(many(60, 700), { max_merged_segment: '1300mb' })).toEqual([]);
  });

  test('holds no more in memory, and makes no longer section, than there is room for', () => {
    expect(choose(many(11, 1, { heldBytes: 10 }), {}, 35)).toHaveLength(3);
    expect(choose(many(11, 1, { heldBytes: 40 }), {}, 35)).toEqual([]);
    expect(choose(many(11, 1, { sectionBytes: GB }))).toHaveLength(3);
  });

  test('leaves out what outweighs all smaller ones together', () => {
    const doubling = Array.from({ length: 11 }, (_, i) => segment(0.001 * 2.1 ** i));
    expect(choose(doubling)).toEqual([0, 1]);
  });

  test('rewrites segments when a shard has more deleted documents than it may', () => {
    const half = segment(50, { liveCount: 500 });
    expect(choose([segment(300), half])).toEqual([0, 1]);
    expect(choose([segment(300), half], { deletes_pct_allowed: '40' })).toEqual([]);
    expect(choose([segment(300), segment(50, { liveCount: 900 })])).toEqual([]);
    const huge = segment(4_000, { liveCount: 700 });
    expect(choose([huge])).toEqual([0]);
    expect(choose([huge], { deletes_pct_allowed: '30' })).toEqual([]);
  });

  test.each([0.02, 0.1, 1, 5])('keeps few segments at little cost when every refresh brings %f MB', (size) => {
    const total = 100;
    let segments: readonly MergeCandidate[] = [];
    let written = 0;
    for (let sum = 0; sum < total; sum += size) {
      const settled = settle([...segments, segment(size)]);
      segments = settled.segments;
      written += settled.writtenBytes / MB;
      expect(segments.length).toBeLessThanOrEqual(20);
    }
    expect(written / total).toBeLessThan(size < 0.1 ? 7 : 4);
  });

  test('leaves a shard of 20 GB at most 40 segments, whatever its refreshes brought and its updates deleted', () => {
    for (const seed of seedsToRun(6)) {
      const random = seededRandom(`merge policy ${seed}`);
      const deletes = random.below(2) === 0;
      let segments: readonly MergeCandidate[] = [];
      let written = 0;
      let bytes = 0;
      while (bytes < 20 * GB) {
        const megabytes = random.below(4) === 0 ? 1 + random.below(60) : 20;
        bytes += megabytes * MB;
        if (deletes && segments.length > 0) {
          const at = random.below(segments.length);
          segments = segments.map((one, i) => {
            const gone = i === at ? Math.min(one.liveCount - 1, random.below(200)) : 0;
            return { ...one, liveCount: one.liveCount - gone };
          });
        }
        const docCount = megabytes * 100;
        const settled = settle([...segments, segment(megabytes, { docCount, liveCount: docCount })]);
        segments = settled.segments;
        written += settled.writtenBytes;
        expect(segments.length, `SEED=${seed} after ${bytes / MB} MB`).toBeLessThanOrEqual(40);
      }
      expect(written / bytes, `SEED=${seed}`).toBeLessThan(6);
    }
  });

  test('leaves a shard of 20 GB at most 40 segments where documents take 300 bytes and a merge may hold 128 MB', () => {
    let segments: readonly MergeCandidate[] = [];
    const docCount = Math.floor((20 * MB) / 300);
    for (let bytes = 0; bytes < 20 * GB; bytes += 20 * MB) {
      const one = segment(20, { docCount, liveCount: docCount, heldBytes: docCount * 24 });
      segments = settle([...segments, one], 128 * MB).segments;
    }
    expect(segments.length).toBeLessThanOrEqual(40);
  });
});
