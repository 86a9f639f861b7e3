/**
 * Lists of ranked matches that a shard retains: for the rounds of one search, or with a point in time for all of its pages.
 *
 * Their memory is bounded. Lists of points in time give way to others, the one that was not used for longest first: the
 * next page sorts again. The list of a running search is never evicted; then another search is refused.
 */
import { assert, ShoalError } from '@shoal/core';
import { listTooLarge } from '../../collect/deep-page/match-keys.ts';
import type { KeptMatches } from '../../collect/deep-page/ranked-list.ts';

/** Memory limit of the lists of one shard, in bytes. */
const RANK_BYTES_MAX = 256 * 1024 * 1024;
/** Limit of the lists of one shard, whatever they take. */
const LISTS_MAX = 512;

export interface StoredList {
  readonly id: number;
  readonly contextId: number;
  /** Which searches of a point in time it answers; null: the rounds of one search only. */
  readonly identity: string | null;
  /** Its context is one of a point in time, which outlives the search: then it gives way to others. */
  readonly outlivesSearch: boolean;
  readonly matches: KeptMatches;
}

export class RankLists {
  /** Those used last at the end. */
  private readonly lists = new Map<number, StoredList>();
  private readonly bytesMax: number;
  private nextId = 1;
  private bytes = 0;

  constructor(bytesMax: number = RANK_BYTES_MAX) {
    this.bytesMax = bytesMax;
  }

  /** What a list may take if those of points in time give way. */
  get roomBytes(): number {
    let held = 0;
    for (const list of this.lists.values()) if (!list.outlivesSearch) held += list.matches.entries.bytes;
    return this.bytesMax - held;
  }

  /** @throws ShoalError 429 when there is no room even without the lists of points in time */
  add(list: Omit<StoredList, 'id'>): number {
    const { bytes } = list.matches.entries;
    if (bytes > this.roomBytes) throw listTooLarge(bytes, this.bytesMax);
    for (const old of this.lists.values()) {
      if (this.bytes + bytes <= this.bytesMax && this.lists.size < LISTS_MAX) break;
      if (old.outlivesSearch) this.drop(old);
    }
    const id = this.nextId++;
    this.lists.set(id, { ...list, id });
    this.bytes += bytes;
    assert(this.bytes <= this.bytesMax, `lists hold ${this.bytes} of ${this.bytesMax} bytes`);
    return id;
  }

  find(contextId: number, identity: string): StoredList | null {
    for (const list of this.lists.values()) {
      if (list.contextId === contextId && list.identity === identity) return this.used(list);
    }
    return null;
  }

  /** @throws ShoalError 404 when it gave way or its context ended */
  get(contextId: number, id: number): StoredList {
    const list = this.lists.get(id);
    if (list === undefined || list.contextId !== contextId) {
      throw new ShoalError('search_context_missing_exception', 404, `No ranked hits found for id [${contextId}/${id}]`);
    }
    return this.used(list);
  }

  dropContext(contextId: number): void {
    for (const list of this.lists.values()) if (list.contextId === contextId) this.drop(list);
  }

  private used(list: StoredList): StoredList {
    this.lists.delete(list.id);
    this.lists.set(list.id, list);
    return list;
  }

  private drop({ id, matches }: StoredList): void {
    this.lists.delete(id);
    this.bytes -= matches.entries.bytes;
    assert(this.bytes >= 0, `lists hold ${this.bytes} bytes`);
  }
}
