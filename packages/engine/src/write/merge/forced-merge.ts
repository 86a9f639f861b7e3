/**
 * Which segments a user's merge joins: down to a number of segments, or only those with many deleted documents.
 *
 * The size limit of the policy does not hold here. What a merge has in memory and offsets of 32 bits do: a shard too large for
 * those keeps more segments than were asked for.
 */
import { assert } from '@shoal/core';
import { liveBytes, type MergeCandidate, MergeRoom } from './merge-policy.ts';

/** Segments of one merge: each has a few pages of every section in memory. */
const INPUTS_MAX = 30;

/**
 * Indices into `candidates` of the next segments to merge into one, ascending; empty when the shard is as asked.
 *
 * @param segmentsMax at least 1; a shard that is to have one segment also has its deleted documents removed
 * @param heldBytesMax limit of the `heldBytes` of one merge together
 */
export function chooseForcedMerge(
  candidates: readonly MergeCandidate[],
  segmentsMax: number,
  heldBytesMax: number,
): readonly number[] {
  assert(segmentsMax >= 1, `a merge down to ${segmentsMax} segments`);
  const surplus = candidates.length - segmentsMax;
  if (surplus <= 0) {
    const [only] = candidates;
    const isWasteful = segmentsMax === 1 && only !== undefined && only.liveCount < only.docCount;
    return isWasteful ? [0] : [];
  }
  const bySize = candidates
    .map((candidate, i) => ({ i, candidate, bytes: liveBytes(candidate) }))
    .sort((a, b) => a.bytes - b.bytes)
    .slice(0, surplus + 1);
  const chosen: number[] = [];
  const room = new MergeRoom(heldBytesMax);
  for (const { i, candidate } of bySize) {
    if (chosen.length === INPUTS_MAX || !room.add(candidate)) break;
    chosen.push(i);
  }
  return chosen.length < 2 ? [] : chosen.sort((a, b) => a - b);
}

/**
 * Index of the first segment whose deleted documents are worth a rewrite; -1 when there is none.
 *
 * @param pctAllowed percent of deleted documents that a segment may keep
 */
export function chooseExpungedSegment(candidates: readonly MergeCandidate[], pctAllowed: number): number {
  assert(pctAllowed >= 0 && pctAllowed <= 100, `${pctAllowed} % of deleted documents`);
  return candidates.findIndex(({ docCount, liveCount }) => docCount - liveCount > (docCount * pctAllowed) / 100);
}
