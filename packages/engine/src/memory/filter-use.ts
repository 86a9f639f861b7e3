/**
 * Use of filters by the searches of one shard: which of them come often enough to be cached, and what the cache answered.
 */

/** Filters of a shard whose uses are counted. */
const COUNTED_KEYS_MAX = 1_024;

/** Requests that must have used a filter before it is cached. */
const USES_MIN = 2;

export interface FilterStats {
  /** Look-ups that found a filter in the cache. */
  readonly filterHits: number;
  /** Look-ups that did not. */
  readonly filterMisses: number;
  /** Filters added since start. */
  readonly filtersAdded: number;
  /** Filters held now. */
  readonly filtersKept: number;
  /** Filters evicted since start. */
  readonly filtersEvicted: number;
  /** Memory of the filters held now, in bytes. */
  readonly filterBytes: number;
}

/** One shard's filters: how often each was asked for, and what became of that. */
export class ShardFilters {
  hits = 0;
  misses = 0;
  evictions = 0;
  /** Entries added since start. */
  added = 0;
  /** Entries held now. */
  kept = 0;
  bytes = 0;
  private readonly uses = new Map<string, number>();

  stats(): FilterStats {
    return {
      filterHits: this.hits,
      filterMisses: this.misses,
      filtersAdded: this.added,
      filtersKept: this.kept,
      filtersEvicted: this.evictions,
      filterBytes: this.bytes,
    };
  }

  /** For one request, in which a filter counts once. */
  begin(): RequestFilters {
    return new RequestFilters(this);
  }

  /** Counts a request that uses the filter; true when there were enough of them. */
  use(key: string): boolean {
    const uses = (this.uses.get(key) ?? 0) + 1;
    this.uses.delete(key);
    this.uses.set(key, uses);
    if (this.uses.size > COUNTED_KEYS_MAX) {
      for (const oldest of this.uses.keys()) {
        this.uses.delete(oldest);
        break;
      }
    }
    return uses >= USES_MIN;
  }
}

export class RequestFilters {
  readonly shard: ShardFilters;
  private readonly known = new Map<string, boolean>();

  constructor(shard: ShardFilters) {
    this.shard = shard;
  }

  /** True when the filter is used often enough to be cached. */
  isFrequent(key: string): boolean {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const isFrequent = this.shard.use(key);
    this.known.set(key, isFrequent);
    return isFrequent;
  }
}
