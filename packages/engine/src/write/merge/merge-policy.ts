/**
 * Which segments to merge: small ones before they pile up, and those that are mostly deleted.
 */

import { assert } from '@shoal/core';
export interface MergeCandidate {
  /** Without its stored documents. */
  readonly sizeBytes: number;
  readonly docCount: number;
  readonly liveCount: number;
}

/** Segments up to this size count as equally small. */
const FLOOR_BYTES = 2 * 1024 * 1024;
/** Segments of about one size before they are merged. */
const SEGMENTS_PER_TIER = 8;
/** Ratio of sizes between two tiers. */
const TIER_FACTOR = 8;
/**
 * A merge makes nothing larger than this, or than a share of all segments where that is more: while a field is merged, it is
 * in memory, of the inputs and as it is made.
 */
const MERGED_BYTES_MAX = 64 * 1024 * 1024;
const MERGED_SHARE = 4;
/** In any case: it must fit one array. */
export const MERGED_BYTES_END: number = 1024 * 1024 * 1024;
/** A segment with more deleted documents than this share is rewritten on its own. */
const DELETED_SHARE_MAX = 0.33;

/**
 * Indices into `candidates` to merge into one, ascending; empty when there is nothing to do. A field that is merged is in memory:
 * no segment is made larger than `memoryBytesMax`.
 */
export function chooseMerge(
  candidates: readonly MergeCandidate[],
  memoryBytesMax: number = Number.POSITIVE_INFINITY,
): readonly number[] {
  assert(memoryBytesMax > 0, `a merge of at most ${memoryBytesMax} bytes`);
  const all = candidates.reduce((sum, candidate) => sum + liveBytes(candidate), 0);
  const wanted = Math.min(Math.max(MERGED_BYTES_MAX, all / MERGED_SHARE), MERGED_BYTES_END);
  const bytesMax = Math.min(wanted, memoryBytesMax);
  const tiers = new Map<number, number[]>();
  candidates.forEach((candidate, i) => {
    const size = liveBytes(candidate);
    if (size > bytesMax / 2) return;
    const tier = Math.floor(Math.log(Math.max(size, FLOOR_BYTES) / FLOOR_BYTES) / Math.log(TIER_FACTOR));
    tiers.set(tier, [...(tiers.get(tier) ?? []), i]);
  });
  for (const [, members] of [...tiers].sort(([a], [b]) => a - b)) {
    const sum = members.reduce((bytes, i) => bytes + liveBytes(at(candidates, i)), 0);
    // Enough for one as large as may be: waiting for more would only keep more beside it.
    if (members.length < SEGMENTS_PER_TIER && sum < bytesMax) continue;
    const chosen = withinLimit(candidates, withoutHeavy(candidates, members), bytesMax);
    if (chosen.length > 1) return chosen;
  }
  const wasteful = candidates.findIndex(
    ({ docCount, liveCount }) => docCount - liveCount > docCount * DELETED_SHARE_MAX,
  );
  return wasteful < 0 ? [] : [wasteful];
}

/** Size of what a merge would keep of a segment. */
export function liveBytes({ sizeBytes, docCount, liveCount }: MergeCandidate): number {
  assert(docCount > 0 && liveCount <= docCount, `${liveCount} live documents of ${docCount}`);
  return (sizeBytes * liveCount) / docCount;
}

/**
 * Smallest first, without those that outweigh all smaller ones together: so that no merge costs more than what it joins is
 * worth. A document's segment at least doubles with each merge, however little every refresh brings.
 */
function withoutHeavy(candidates: readonly MergeCandidate[], members: readonly number[]): readonly number[] {
  const bySize = [...members].sort((a, b) => liveBytes(at(candidates, a)) - liveBytes(at(candidates, b)));
  let sum = 0;
  let end = 0;
  bySize.forEach((i, place) => {
    const size = liveBytes(at(candidates, i));
    // Two are never one too heavy for the other.
    if (place < 2 || size <= sum) end = place + 1;
    sum += size;
  });
  return bySize.slice(0, end);
}

/** The first of them until the merged segment would be too large. */
function withinLimit(
  candidates: readonly MergeCandidate[],
  bySize: readonly number[],
  bytesMax: number,
): readonly number[] {
  let sum = 0;
  const chosen: number[] = [];
  for (const i of bySize) {
    sum += liveBytes(at(candidates, i));
    if (sum > bytesMax) break;
    chosen.push(i);
  }
  return chosen.sort((a, b) => a - b);
}

function at(candidates: readonly MergeCandidate[], i: number): MergeCandidate {
  return candidates[i] as MergeCandidate;
}
