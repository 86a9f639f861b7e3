/**
 * Which segments a user's merge joins: down to a number of segments, or only those with many deleted documents.
 *
 * As with merges that nobody asked for, no segment is made larger than memory allows: a shard too large for that keeps more
 * segments than were asked for.
 */
import { assert } from '@shoal/core';
import { liveBytes, MERGED_BYTES_END, type MergeCandidate } from './merge-policy.ts';

/** Share of deleted documents above which a segment is rewritten to be rid of them. */
const EXPUNGED_SHARE_MIN = 0.1;

/**
 * Indices into `candidates` of the next segments to merge into one, ascending; empty when the shard is as asked.
 *
 * @param segmentsMax at least 1; a shard that is to have one segment also has its deleted documents removed
 * @param memoryBytesMax most bytes of a merged segment
 */
export function chooseForcedMerge(
  candidates: readonly MergeCandidate[],
  segmentsMax: number,
  memoryBytesMax: number,
): readonly number[] {
  assert(segmentsMax >= 1, `a merge down to ${segmentsMax} segments`);
  const surplus = candidates.length - segmentsMax;
  if (surplus <= 0) {
    const [only] = candidates;
    const isWasteful = segmentsMax === 1 && only !== undefined && only.liveCount < only.docCount;
    return isWasteful ? [0] : [];
  }
  const bytesMax = Math.min(memoryBytesMax, MERGED_BYTES_END);
  const bySize = candidates
    .map((candidate, i) => ({ i, bytes: liveBytes(candidate) }))
    .sort((a, b) => a.bytes - b.bytes)
    .slice(0, surplus + 1);
  const chosen: number[] = [];
  let sum = 0;
  for (const { i, bytes } of bySize) {
    sum += bytes;
    if (sum > bytesMax) break;
    chosen.push(i);
  }
  return chosen.length < 2 ? [] : chosen.sort((a, b) => a - b);
}

/** Index of the first segment whose deleted documents are worth a rewrite; -1 when there is none. */
export function chooseExpungedSegment(candidates: readonly MergeCandidate[]): number {
  return candidates.findIndex(({ docCount, liveCount }) => docCount - liveCount > docCount * EXPUNGED_SHARE_MIN);
}
