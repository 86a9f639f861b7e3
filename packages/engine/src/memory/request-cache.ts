/**
 * Answers of the query phase that are asked for again, by the bytes of their requests: for all shards of a thread, bounded by
 * their bytes.
 *
 * An answer holds for one searcher of its shard, under one mapping, one set of settings and one set of aliases. A shard forgets
 * all of its answers when any of them changes: nothing cached is out of date.
 */
import { assert } from '@shoal/core';
import type { ShardQueryResult, SortColumn } from '@shoal/shard-api';

/** Limit of the cached answers of a thread, in entries. */
const ANSWERS_MAX = 65_536;

/** Estimated overhead of an entry beside its arrays and its key, in bytes. */
const ENTRY_BYTES = 512;

export type CachedAnswer = Omit<ShardQueryResult, 'contextId'>;

export interface RequestCacheStats {
  /** Look-ups that found an answer. */
  readonly requestCacheHits: number;
  /** Cacheable requests that were executed. */
  readonly requestCacheMisses: number;
  /** Answers evicted for want of room since start. */
  readonly requestCacheEvictions: number;
  /** Memory of the answers held now, in bytes. */
  readonly requestCacheBytes: number;
}

/** Numbers of a shard whose answers are not cached. */
export const NO_REQUEST_CACHE: RequestCacheStats = {
  requestCacheHits: 0,
  requestCacheMisses: 0,
  requestCacheEvictions: 0,
  requestCacheBytes: 0,
};

interface Entry {
  readonly shard: ShardAnswers;
  readonly key: string;
  readonly answer: CachedAnswer;
  readonly bytes: number;
}

export class RequestCache {
  readonly bytesMax: number;
  private readonly hasRoom: (bytes: number) => boolean;
  /** Entries of all shards, the one used longest ago first. */
  private readonly entries = new Set<Entry>();
  private bytes = 0;

  /** `hasRoom`: whether so many bytes more may be taken for what can be done without. */
  constructor(bytesMax: number, hasRoom: (bytes: number) => boolean) {
    this.bytesMax = bytesMax;
    this.hasRoom = hasRoom;
  }

  get usedBytes(): number {
    return this.bytes;
  }

  /** The answers of one more shard. */
  ofShard(): ShardAnswers {
    return new ShardAnswers(this);
  }

  used(entry: Entry): void {
    this.entries.delete(entry);
    this.entries.add(entry);
  }

  /** False when the entry finds no room, also after others went. */
  add(entry: Entry): boolean {
    const { bytes } = entry;
    if (bytes > this.bytesMax) return false;
    for (const oldest of this.entries) {
      if (this.bytes + bytes <= this.bytesMax && this.entries.size < ANSWERS_MAX && this.hasRoom(bytes)) break;
      oldest.shard.evict(oldest);
    }
    if (!this.hasRoom(bytes)) return false;
    this.entries.add(entry);
    this.bytes += bytes;
    assert(this.bytes <= this.bytesMax, `the cache holds ${this.bytes} of at most ${this.bytesMax} bytes`);
    return true;
  }

  remove(entry: Entry): void {
    assert(this.entries.delete(entry), 'a cached answer is removed twice');
    this.bytes -= entry.bytes;
    assert(this.bytes >= 0, `the cache holds ${this.bytes} bytes`);
  }
}

/** Place of one request's answer: what is there, or where it goes. */
export interface AnswerSlot {
  /** null: not known yet. */
  readonly answer: CachedAnswer | null;
  /** Puts the answer there, unless what it holds for has changed since the look-up. */
  keep(answer: CachedAnswer): void;
}

/** One shard's answers to the requests of its current searcher. */
export class ShardAnswers {
  private readonly cache: RequestCache;
  private readonly answers = new Map<string, Entry>();
  /** Generation of the searcher that the answers come from. */
  private generation = -1;
  /** Times that all answers were forgotten: one that was begun before comes too late. */
  private clears = 0;
  private bytes = 0;
  private hits = 0;
  private misses = 0;
  private evictions = 0;

  constructor(cache: RequestCache) {
    this.cache = cache;
  }

  /** null for a searcher that is not the newest one asked about. */
  slot(generation: number, key: string): AnswerSlot | null {
    if (generation < this.generation) return null;
    if (generation > this.generation) {
      this.clear();
      this.generation = generation;
    }
    const { clears } = this;
    const found = this.answers.get(key);
    if (found !== undefined) {
      this.hits++;
      this.cache.used(found);
    }
    return {
      answer: found?.answer ?? null,
      keep: (answer) => {
        this.misses++;
        if (this.clears === clears) this.put(key, answer);
      },
    };
  }

  private put(key: string, given: CachedAnswer): void {
    const known = this.answers.get(key);
    // Two searches asked for it at the same time.
    if (known !== undefined) return;
    const answer = withOwnBytes(given);
    const entry = { shard: this, key, answer, bytes: bytesOf(key, answer) };
    if (!this.cache.add(entry)) return;
    this.answers.set(key, entry);
    this.bytes += entry.bytes;
  }

  evict(entry: Entry): void {
    this.evictions++;
    this.remove(entry);
  }

  private remove(entry: Entry): void {
    this.cache.remove(entry);
    this.answers.delete(entry.key);
    this.bytes -= entry.bytes;
    assert(this.bytes >= 0, `a shard has cached answers of ${this.bytes} bytes`);
  }

  /** Forgets all answers, and those of searches that still run. */
  clear(): void {
    this.clears++;
    for (const entry of this.answers.values()) this.remove(entry);
    assert(this.bytes === 0, `${this.bytes} bytes are left of no cached answers`);
  }

  stats(): RequestCacheStats {
    return {
      requestCacheHits: this.hits,
      requestCacheMisses: this.misses,
      requestCacheEvictions: this.evictions,
      requestCacheBytes: this.bytes,
    };
  }
}

/** Partial results may be views of memory that is much larger, which the entry would keep. */
function withOwnBytes(answer: CachedAnswer): CachedAnswer {
  return { ...answer, aggregations: answer.aggregations?.slice() ?? null };
}

function bytesOf(key: string, { aggregations, columns, groups, ords, scores }: CachedAnswer): number {
  const arrays = (aggregations?.byteLength ?? 0) + ords.byteLength + (scores?.byteLength ?? 0);
  const keys = [...columns, ...(groups === null ? [] : [groups])].reduce((sum, column) => sum + columnBytes(column), 0);
  return ENTRY_BYTES + key.length + arrays + keys;
}

function columnBytes(column: SortColumn): number {
  if (column.kind !== 'string') return column.values.byteLength;
  return column.offsets.byteLength + column.bytes.byteLength + column.missing.byteLength;
}
