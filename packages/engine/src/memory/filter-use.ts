/**
 * Use of filters by the searches of one shard: which of them come often enough to be cached, and what the cache answered.
 */

/** Filters of a shard whose uses are counted. */
const COUNTED_KEYS_MAX = 1_024;

/** Requests that must have asked for a filter. */
const USES_MIN = 2;

export interface FilterStats {
  /** Look-ups of filters among those that are kept, */
  readonly filterHits: number;
  readonly filterMisses: number;
  /** filters that were kept, that are, and that made room for others, */
  readonly filtersAdded: number;
  readonly filtersKept: number;
  readonly filtersEvicted: number;
  /** and the memory of those that are. */
  readonly filterBytes: number;
}

/** One shard's filters: how often each was asked for, and what became of that. */
export class ShardFilters {
  hits = 0;
  misses = 0;
  evictions = 0;
  /** Ever kept, */
  added = 0;
  /** and now. */
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

  /** One more request that asks for it: true when there were enough of them. */
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

  /** Whether the filter is asked for often enough to be kept. */
  isFrequent(key: string): boolean {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const isFrequent = this.shard.use(key);
    this.known.set(key, isFrequent);
    return isFrequent;
  }
}
