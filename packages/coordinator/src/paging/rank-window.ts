/**
 * How many entries of each shard stand before a rank: narrowed down by entries that the shards show of their sorted lists.
 *
 * Entries of all shards have one order: keys, then shard, then position. For every rank there is one cut, the number of
 * entries of each shard that are among those before it. An entry that surely stands before the rank gives a lower bound of
 * the cut, one that surely does not an upper bound; which those are is told by counting shown entries.
 */
import { assert } from '@shoal/core';
import type { SortField } from '@shoal/query';
import { type RankAnswer, type RankPivot, sliceColumns } from '@shoal/shard-api';
import { mergeResults } from './merge-results.ts';

/** Entries of one shard's list that were shown. */
export type ShownEntries = RankAnswer['pivots'];

/** What is known of the cut. */
export interface RankWindow {
  /** Its bounds, by shard. */
  readonly lo: Float64Array;
  readonly hi: Float64Array;
  /** Surely before the rank; null: no such entry is known. */
  readonly lower: RankPivot | null;
  /** Surely not before it. */
  readonly upper: RankPivot | null;
}

export interface ShownPivots {
  /** By shard; empty where it has none. */
  readonly pivots: readonly ShownEntries[];
  /** Every shown entry has at least so many entries of each shard before it, */
  readonly floor: Float64Array;
  /** and at most so many. */
  readonly ceiling: Float64Array;
}

/** Nothing is known yet: `counts` are the entries of each shard. */
export function wholeWindow(counts: Float64Array, rank: number): RankWindow {
  return clamped({ lo: new Float64Array(counts.length), hi: counts.slice(), lower: null, upper: null }, rank);
}

/** The window that follows from what was shown. Bounds of `before` are kept where they are closer. */
export function narrowed(sort: readonly SortField[], shown: ShownPivots, rank: number, before: RankWindow): RankWindow {
  const { pivots, floor, ceiling } = shown;
  const lists = pivots.map(({ columns, positions }) => ({ columns, ords: positions }));
  const merged = mergeResults(sort, lists, Number.POSITIVE_INFINITY);
  const scan = new PivotScan(shown, merged.shards, merged.positions);
  const last = scan.lastBefore(rank);
  const first = scan.firstBehind(rank);
  const lo = last < 0 ? floor : scan.leastBefore(last);
  const hi = first < 0 ? ceiling : scan.mostBefore(first);
  const pivotAt = (at: number): RankPivot => {
    const shardIndex = merged.shards[at] ?? 0;
    const index = merged.positions[at] ?? 0;
    const own = pivots[shardIndex];
    assert(own, `no pivots of shard ${shardIndex}`);
    return { shardIndex, position: own.positions[index] ?? 0, columns: sliceColumns(own.columns, index, index + 1) };
  };
  return clamped(
    {
      lo: lo.map((value, i) => Math.max(value, before.lo[i] ?? 0)),
      hi: hi.map((value, i) => Math.min(value, before.hi[i] ?? 0)),
      lower: last < 0 ? before.lower : pivotAt(last),
      upper: first < 0 ? before.upper : pivotAt(first),
    },
    rank,
  );
}

/** Bounds of one shard follow from those of the others: together the parts of a cut are its rank. */
export function clamped({ lo, hi, lower, upper }: RankWindow, rank: number): RankWindow {
  const missing = rank - sum(lo);
  const surplus = sum(hi) - rank;
  return {
    lo: lo.map((value, i) => Math.max(value, (hi[i] ?? 0) - surplus)),
    hi: hi.map((value, i) => Math.min(value, (lo[i] ?? 0) + missing)),
    lower,
    upper,
  };
}

/** Entries that may stand on either side. */
export function widthOf({ lo, hi }: RankWindow): number {
  return sum(hi) - sum(lo);
}

export function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Shown entries of all shards in order, and how many entries each has before it. */
class PivotScan {
  private readonly shown: ShownPivots;
  private readonly shards: Uint32Array;
  private readonly indices: Uint32Array;

  constructor(shown: ShownPivots, shards: Uint32Array, indices: Uint32Array) {
    this.shown = shown;
    this.shards = shards;
    this.indices = indices;
  }

  private shardAt(at: number): number {
    return this.shards[at] as number;
  }

  private positionAt(at: number): number {
    return this.shown.pivots[this.shardAt(at)]?.positions[this.indices[at] as number] ?? 0;
  }

  /** The last entry that has no more than `rank` entries before it, whatever the gaps hide; -1: none. */
  lastBefore(rank: number): number {
    const most = this.shown.ceiling.slice();
    let total = sum(most);
    for (let at = this.shards.length - 1; at >= 0; at--) {
      const shard = this.shardAt(at);
      const position = this.positionAt(at);
      total += position - (most[shard] as number);
      most[shard] = position;
      if (total <= rank) return at;
    }
    return -1;
  }

  /** The first that has at least `rank` entries before it; -1: none. */
  firstBehind(rank: number): number {
    const least = this.shown.floor.slice();
    let total = sum(least);
    for (let at = 0; at < this.shards.length; at++) {
      const shard = this.shardAt(at);
      const position = this.positionAt(at);
      if (total - (least[shard] as number) + position >= rank) return at;
      total += position + 1 - (least[shard] as number);
      least[shard] = position + 1;
    }
    return -1;
  }

  leastBefore(end: number): Float64Array {
    const least = this.shown.floor.slice();
    for (let at = 0; at < end; at++) least[this.shardAt(at)] = this.positionAt(at) + 1;
    least[this.shardAt(end)] = this.positionAt(end);
    return least;
  }

  mostBefore(start: number): Float64Array {
    const most = this.shown.ceiling.slice();
    for (let at = this.shards.length - 1; at >= start; at--) most[this.shardAt(at)] = this.positionAt(at);
    return most;
  }
}
