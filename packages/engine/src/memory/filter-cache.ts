/**
 * Matches of filters that are asked for again, as bits by segment: for all shards of a thread, bounded by their bytes.
 *
 * A segment never changes and a filter's key says all that it means, so that nothing kept can be out of date: deleted
 * documents are left out by whoever reads the bits. What is kept goes with its segment, or when room is needed.
 */

/** Of all filters of a thread, and their share of the memory where that is less. */
const FILTER_BYTES_MAX = 64 * 1024 * 1024;
const FILTER_SHARE = 16;
const FILTERS_MAX = 4_096;
/** Keys and what else an entry takes, roughly. */
const ENTRY_BYTES = 512;
/** Filters of a shard whose uses are counted. */
const COUNTED_KEYS_MAX = 1_024;
/** Requests that must have asked for a filter. */
const USES_MIN = 2;

export interface KeptDocs {
  /** One bit a document, `docCount` of them. */
  readonly words: Uint32Array;
  /** Documents in them. */
  readonly count: number;
}

interface Entry extends KeptDocs {
  readonly shard: ShardFilters;
  /** Asked for since it came or was last spared: where room is needed it is spared once more. */
  isUsed: boolean;
}

export class FilterCache {
  readonly bytesMax: number;
  private readonly hasRoom: (bytes: number) => boolean;
  /** By segment and key; those that came or were spared last stand last. */
  private readonly entries = new Map<string, Entry>();
  private owners = 0;
  private bytes = 0;

  /** `memoryBytes`: of the thread. `hasRoom`: whether so many bytes more may be taken for what can be done without. */
  constructor(memoryBytes: number, hasRoom: (bytes: number) => boolean) {
    this.bytesMax = Math.min(FILTER_BYTES_MAX, memoryBytes / FILTER_SHARE);
    this.hasRoom = hasRoom;
  }

  get usedBytes(): number {
    return this.bytes;
  }

  /** The filters of one more segment. */
  ofSegment(): SegmentFilters {
    return new SegmentFilters(this, `${this.owners++} `);
  }

  get(name: string): KeptDocs | null {
    const found = this.entries.get(name);
    if (found === undefined) return null;
    found.isUsed = true;
    return found;
  }

  put(name: string, docs: KeptDocs, shard: ShardFilters): void {
    const bytes = bytesOf(docs);
    if (bytes > this.bytesMax || this.entries.has(name)) return;
    for (const [oldest, entry] of this.entries) {
      if (this.bytes + bytes <= this.bytesMax && this.entries.size < FILTERS_MAX && this.hasRoom(bytes)) break;
      if (entry.isUsed) {
        entry.isUsed = false;
        this.entries.delete(oldest);
        this.entries.set(oldest, entry);
        continue;
      }
      this.remove(oldest, entry);
      entry.shard.evictions++;
    }
    if (!this.hasRoom(bytes)) return;
    this.entries.set(name, { ...docs, shard, isUsed: false });
    this.bytes += bytes;
    shard.added++;
    shard.kept++;
    shard.bytes += bytes;
  }

  private remove(name: string, entry: Entry): void {
    this.entries.delete(name);
    const bytes = bytesOf(entry);
    this.bytes -= bytes;
    entry.shard.kept--;
    entry.shard.bytes -= bytes;
  }

  /** The segment goes. */
  drop(prefix: string): void {
    for (const [name, entry] of this.entries) if (name.startsWith(prefix)) this.remove(name, entry);
  }
}

function bytesOf({ words }: KeptDocs): number {
  return words.byteLength + ENTRY_BYTES;
}

/** What is kept of one segment. */
export class SegmentFilters {
  private readonly cache: FilterCache;
  private readonly prefix: string;

  constructor(cache: FilterCache, prefix: string) {
    this.cache = cache;
    this.prefix = prefix;
  }

  get(key: string): KeptDocs | null {
    return this.cache.get(this.prefix + key);
  }

  put(key: string, docs: KeptDocs, shard: ShardFilters): void {
    this.cache.put(this.prefix + key, docs, shard);
  }

  drop(): void {
    this.cache.drop(this.prefix);
  }
}

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
