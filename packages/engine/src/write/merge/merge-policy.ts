/**
 * Tiered merge policy: which segments to merge, so that a shard has few of them and few deleted documents at the least work.
 *
 * Sizes are those of what a merge would keep. A shard may have as many segments of each tier as the settings say, a tier being
 * larger than the one below by what a merge joins; only when it has more, or more deleted documents than it may, one merge is
 * chosen: the one whose inputs differ least in size, which reclaims most and is smallest. The rules and their defaults are Lucene's.
 *
 * @see Michael McCandless, "Visualizing Lucene's segment merges" (2011)
 */
import { assert } from '@shoal/core';
import type { MergePolicySettings } from '@shoal/schema';

export interface MergeCandidate {
  /** Size of its files, in bytes. */
  readonly sizeBytes: number;
  readonly docCount: number;
  readonly liveCount: number;
  /** What a merge of it has in memory whatever else it streams, in bytes. */
  readonly heldBytes: number;
  /** Length of its longest section, in bytes. */
  readonly sectionBytes: number;
}

/** Most bytes of a section: offsets in it have 32 bits, of which a part is left for what merged lists take more. */
const SECTION_BYTES_END = 0.75 * 2 ** 32;
/** Weight of the size of a merge against how uneven its inputs are: a small preference for small merges. */
const SIZE_EXPONENT = 0.05;
/** Weight of the share that a merge keeps. */
const KEPT_EXPONENT = 2;

/**
 * Indices into `candidates` to merge into one, ascending; empty when there is nothing to do.
 *
 * @param heldBytesMax limit of the `heldBytes` of one merge together
 */
export function chooseMerge(
  candidates: readonly MergeCandidate[],
  policy: MergePolicySettings,
  heldBytesMax: number,
): readonly number[] {
  assert(heldBytesMax > 0, `a merge that holds at most ${heldBytesMax} bytes`);
  const sizes = candidates.map(liveBytes);
  const bySize = candidates.map((_, i) => i).sort((a, b) => at(sizes, b) - at(sizes, a));
  const { eligible, countMax, deletedMax } = budgetOf(candidates, bySize, sizes, policy);
  const deleted = eligible.reduce((sum, i) => sum + deletedOf(candidates, i), 0);
  const isOverCount = eligible.length > countMax;
  if (!isOverCount && deleted <= deletedMax) return [];
  assert(countMax >= 1, `a shard of at most ${countMax} segments`);
  const best = bestMerge(candidates, eligible, sizes, policy, heldBytesMax);
  const chosen = isOverCount ? withoutHeavy(best, sizes) : best;
  return [...chosen].sort((a, b) => a - b);
}

/** Size of what a merge would keep of a segment. */
export function liveBytes({ sizeBytes, docCount, liveCount }: MergeCandidate): number {
  assert(docCount > 0 && liveCount <= docCount, `${liveCount} live documents of ${docCount}`);
  return (sizeBytes * liveCount) / docCount;
}

/** What the inputs of a merge add up to, against what it may hold and write. */
export class MergeRoom {
  private readonly heldBytesMax: number;
  private heldBytes = 0;
  private sectionBytes = 0;

  constructor(heldBytesMax: number) {
    this.heldBytesMax = heldBytesMax;
  }

  /** Adds a segment; false, and nothing was added, when there is no room for it. */
  add({ heldBytes, sectionBytes }: MergeCandidate): boolean {
    if (this.heldBytes + heldBytes > this.heldBytesMax) return false;
    if (this.sectionBytes + sectionBytes > SECTION_BYTES_END) return false;
    this.heldBytes += heldBytes;
    this.sectionBytes += sectionBytes;
    return true;
  }
}

interface MergeBudget {
  /** Segments that may be merged, the largest first. */
  readonly eligible: readonly number[];
  /** How many of them, and how many deleted documents in them, may stay. */
  readonly countMax: number;
  readonly deletedMax: number;
}

/** Segments beyond half the limit stay as they are, unless they have more deleted documents than the whole shard may. */
function budgetOf(
  candidates: readonly MergeCandidate[],
  bySize: readonly number[],
  sizes: readonly number[],
  policy: MergePolicySettings,
): MergeBudget {
  const { maxMergedSegmentBytes, deletesPctAllowed } = policy;
  const share = deletesPctAllowed / 100;
  const docs = candidates.reduce((sum, { docCount }) => sum + docCount, 0);
  const deleted = bySize.reduce((sum, i) => sum + deletedOf(candidates, i), 0);
  const isWasteful = deleted > docs * share;
  let deletedMax = docs * share;
  const eligible: number[] = [];
  for (const i of bySize) {
    const { docCount } = at(candidates, i);
    const isLarge = at(sizes, i) > maxMergedSegmentBytes / 2;
    const own = deletedOf(candidates, i);
    if (!isLarge || (isWasteful && own > docCount * share)) eligible.push(i);
    else deletedMax -= own;
  }
  const bytes = eligible.reduce((sum, i) => sum + at(sizes, i), 0);
  const least = Math.min(...eligible.map((i) => at(sizes, i)));
  return { eligible, countMax: countMaxOf(bytes, least, policy), deletedMax: Math.max(deletedMax, 0) };
}

/** Segments that `bytes` may be spread over: a tier is full before the next one begins. */
function countMaxOf(bytes: number, leastBytes: number, policy: MergePolicySettings): number {
  const { segmentsPerTier, maxMergedSegmentBytes, floorSegmentBytes, maxMergeAtOnce } = policy;
  let level = Math.max(Number.isFinite(leastBytes) ? leastBytes : 0, floorSegmentBytes);
  assert(level > 0 && maxMergeAtOnce > 1, `tiers from ${level} bytes on that grow by ${maxMergeAtOnce}`);
  let left = bytes;
  let count = 0;
  // Levels grow by a factor of two at least.
  for (;;) {
    const ofLevel = left / level;
    if (ofLevel < segmentsPerTier || level >= maxMergedSegmentBytes) {
      count += Math.ceil(ofLevel);
      return Math.max(count, segmentsPerTier);
    }
    count += segmentsPerTier;
    left -= segmentsPerTier * level;
    level = Math.min(maxMergedSegmentBytes, level * maxMergeAtOnce);
  }
}

/** The best merge of neighbours by size, the largest of them first; empty when there is none. */
function bestMerge(
  candidates: readonly MergeCandidate[],
  eligible: readonly number[],
  sizes: readonly number[],
  policy: MergePolicySettings,
  heldBytesMax: number,
): readonly number[] {
  let best: readonly number[] = [];
  let bestScore = Number.POSITIVE_INFINITY;
  for (let start = 0; start < eligible.length; start++) {
    const { chosen, isCut } = mergeFrom(candidates, eligible.slice(start), sizes, policy, heldBytesMax);
    const [only] = chosen;
    if (only === undefined) continue;
    // A segment alone is only rewritten to be rid of deleted documents.
    if (chosen.length === 1 && deletedOf(candidates, only) === 0) continue;
    // From here on there are ever fewer: such merges would only be smaller.
    if (best.length > 0 && !isCut && chosen.length < policy.maxMergeAtOnce) break;
    const score = scoreOf(candidates, chosen, sizes, policy, isCut);
    if (score >= bestScore) continue;
    best = chosen;
    bestScore = score;
  }
  return best;
}

interface ChosenMerge {
  readonly chosen: readonly number[];
  /** Segments were left out for which there was no room. */
  readonly isCut: boolean;
}

/** Takes the segments in their order as long as one merge may join them. */
function mergeFrom(
  candidates: readonly MergeCandidate[],
  from: readonly number[],
  sizes: readonly number[],
  { maxMergeAtOnce, maxMergedSegmentBytes }: MergePolicySettings,
  heldBytesMax: number,
): ChosenMerge {
  const room = new MergeRoom(heldBytesMax);
  const chosen: number[] = [];
  let bytes = 0;
  let isCut = false;
  for (const i of from) {
    if (chosen.length === maxMergeAtOnce) break;
    const size = at(sizes, i);
    // One that is too large by itself may still be rid of what was deleted.
    const fits = bytes + size <= maxMergedSegmentBytes || chosen.length === 0;
    if (!fits || !room.add(at(candidates, i))) {
      isCut = true;
      continue;
    }
    chosen.push(i);
    bytes += size;
  }
  return { chosen, isCut };
}

/** Lower is better. */
function scoreOf(
  candidates: readonly MergeCandidate[],
  chosen: readonly number[],
  sizes: readonly number[],
  { floorSegmentBytes, maxMergeAtOnce }: MergePolicySettings,
  isCut: boolean,
): number {
  const floored = (i: number): number => Math.max(at(sizes, i), floorSegmentBytes);
  const after = chosen.reduce((sum, i) => sum + at(sizes, i), 0);
  const before = chosen.reduce((sum, i) => sum + at(candidates, i).sizeBytes, 0);
  const allFloored = chosen.reduce((sum, i) => sum + floored(i), 0);
  // A merge that is as large as may be is as good as an even one: its segment is never merged again.
  const skew = isCut ? 1 / maxMergeAtOnce : floored(chosen[0] as number) / allFloored;
  const kept = before === 0 ? 1 : after / before;
  return skew * after ** SIZE_EXPONENT * kept ** KEPT_EXPONENT;
}

/**
 * Leaves out those that outweigh all smaller ones together: no merge costs more than what it joins is worth. A document's segment
 * at least doubles with each merge, however little every refresh brings.
 *
 * @param chosen the largest first
 */
function withoutHeavy(chosen: readonly number[], sizes: readonly number[]): readonly number[] {
  let rest = chosen.reduce((sum, i) => sum + at(sizes, i), 0);
  for (const [place, i] of chosen.entries()) {
    rest -= at(sizes, i);
    // Two are never one too heavy for the other.
    if (at(sizes, i) <= rest || chosen.length - place <= 2) return chosen.slice(place);
  }
  return chosen;
}

function deletedOf(candidates: readonly MergeCandidate[], i: number): number {
  const { docCount, liveCount } = at(candidates, i);
  return docCount - liveCount;
}

function at<T>(values: readonly T[], i: number): T {
  return values[i] as T;
}
