/**
 * What pages of a point in time found out about the ranks of a search: shown entries that cover its lists, and cuts. A point
 * in time does not change, so that other pages of it need fewer rounds; the next page needs one.
 */
import type { ShownPivots } from './rank-window.ts';

export interface KnownRanks {
  /** Entries of each shard. */
  readonly counts: Float64Array;
  readonly pivots: ShownPivots['pivots'];
  readonly cuts: readonly KnownCut[];
}

/** Entries that each shard has among the first `rank`. */
export interface KnownCut {
  readonly rank: number;
  readonly cut: Float64Array;
}

const CUTS_MAX = 128;
/** Searches that a node remembers, those used last. */
const SEARCHES_MAX = 64;
/** Shards of one search, all searches together: pivots are some bytes each, cuts eight a shard. */
const SHARDS_MAX = 20_000;

/** Ranks known of one search in one point in time. */
export class RankMemory {
  private ranks: KnownRanks | null = null;

  /** null: nothing, or not of so many shards. */
  known(shardCount: number): KnownRanks | null {
    return this.ranks?.counts.length === shardCount ? this.ranks : null;
  }

  add({ counts, pivots, cuts }: KnownRanks): void {
    const ranks = new Set(cuts.map(({ rank }) => rank));
    const older = this.ranks?.cuts.filter(({ rank }) => !ranks.has(rank)) ?? [];
    this.ranks = { counts, pivots, cuts: [...older, ...cuts].slice(-CUTS_MAX) };
  }

  get shardCount(): number {
    return this.ranks?.counts.length ?? 0;
  }

  forget(): void {
    this.ranks = null;
  }
}

/** Ranks known of all searches whose pages were asked for at this node. */
export class RankMemories {
  readonly #memories = new Map<string, RankMemory>();

  /** @param search point in time and search: equal ones have the same lists */
  of(search: string): RankMemory {
    const memory = this.#memories.get(search) ?? new RankMemory();
    this.#memories.delete(search);
    this.#memories.set(search, memory);
    let shards = 0;
    for (const one of this.#memories.values()) shards += one.shardCount;
    for (const [oldest, one] of this.#memories) {
      if (this.#memories.size <= SEARCHES_MAX && shards <= SHARDS_MAX) break;
      if (one === memory) continue;
      shards -= one.shardCount;
      this.#memories.delete(oldest);
    }
    return memory;
  }
}
