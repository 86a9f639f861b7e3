/**
 * Readers retained between the requests of one search: between query and fetch, from page to page of a scroll, or for as long as
 * a point in time lives.
 *
 * A context is one number for the caller and one point-in-time view for us; those that nobody asks for end after their
 * keep-alive, so that a coordinator that died does not hold segments for ever.
 */
import { assert, NumberedEntries, rejectedExecution, ShoalError } from '@shoal/core';
import type { SearchRequest } from '@shoal/query';
import type { Cancel, Clock, Random, Scheduler } from '@shoal/runtime';
import type { Searcher } from '../../format/reader/segment-reader.ts';
import { RescoredWindows } from './rescored-windows.ts';
import type { ScrollCount } from './scroll-count.ts';
import type { ScrollCursor } from './scroll-cursor.ts';

/**
 * Contexts of a shard of each kind but scrolls, which the node bounds. They share the segments of a reader and cost little, but without a bound clients that open
 * points in time and forget them would fill the memory.
 */
const OTHERS_MAX = 10_000;
const REAP_EVERY_MS = 1_000;
/** Numbers that may be the first: small integers of V8, with room to count up. */
const FIRST_IDS = 2 ** 29;

export type ContextKind = 'fetch' | 'scroll' | 'reader';

/** What a context remembers of the search that opened it. */
export interface ContextMemory {
  /** Position of a scroll; null for other contexts. */
  readonly cursor: ScrollCursor | null;
  /** What is shown of the hits; null for a point in time, which is opened before any search. */
  readonly request: SearchRequest | null;
}

export interface SearchContext extends ContextMemory {
  readonly rescored: RescoredWindows;
  readonly openedAtMs: number;
  readonly kind: ContextKind;
  /** Held by the context, released when it ends. */
  readonly searcher: Searcher;
  keepAliveMs: number;
  expiresAtMs: number;
  /** Requests that are using it: it does not end under them. */
  users: number;
}

export interface SearchContextsParts {
  readonly clock: Clock;
  readonly sched: Scheduler;
  /** Counts the scrolls of all shards of the node. */
  readonly scrolls: ScrollCount;
  /** Draws the first number, so that no context of an earlier opening of the shard is taken for one of this. */
  readonly random: Random;
}

export class SearchContexts {
  private readonly contexts = new NumberedEntries<SearchContext>();
  private readonly clock: Clock;
  private readonly sched: Scheduler;
  private readonly releaseSearcher: (searcher: Searcher) => void;
  private readonly scrolls: ScrollCount;
  private readonly onFreed: (id: number, context: SearchContext) => void;
  private readonly counts: Record<ContextKind, number> = { fetch: 0, scroll: 0, reader: 0 };
  private nextId: number;
  private cancelReaper: Cancel | null = null;

  /** @param onFreed called with each context that was freed */
  constructor(
    { clock, sched, scrolls, random }: SearchContextsParts,
    releaseSearcher: (searcher: Searcher) => void,
    onFreed: (id: number, context: SearchContext) => void = () => {},
  ) {
    this.clock = clock;
    this.sched = sched;
    this.releaseSearcher = releaseSearcher;
    this.scrolls = scrolls;
    this.nextId = random.below(FIRST_IDS);
    this.onFreed = onFreed;
  }

  /** Contexts that are open, and the scrolls among them. */
  stats(): { readonly openContexts: number; readonly scrollCurrent: number } {
    return { openContexts: this.contexts.size, scrollCurrent: this.count('scroll') };
  }

  /** Takes over the caller's hold of the searcher, unless it throws. */
  open(kind: ContextKind, searcher: Searcher, keepAliveMs: number, { cursor, request }: ContextMemory): number {
    assert(
      (cursor !== null) === (kind === 'scroll'),
      `a context of kind ${kind} with${cursor === null ? 'out' : ''} a cursor`,
    );
    assert(
      (request === null) === (kind === 'reader'),
      `a context of kind ${kind} with${request === null ? 'out' : ''} a request`,
    );
    if (kind === 'scroll') this.scrolls.add();
    else this.checkRoom(kind);
    const id = this.nextId++;
    const openedAtMs = this.clock.monotonicMs();
    const expiresAtMs = openedAtMs + keepAliveMs;
    this.counts[kind]++;
    this.contexts.set(id, {
      kind,
      searcher,
      cursor,
      request,
      keepAliveMs,
      openedAtMs,
      expiresAtMs,
      users: 0,
      rescored: new RescoredWindows(),
    });
    this.scheduleReaper();
    return id;
  }

  count(kind: ContextKind): number {
    return this.counts[kind];
  }

  /** Throws when no other scroll may be opened, before its first page is looked for. */
  checkScrolls(): void {
    this.scrolls.check();
  }

  private checkRoom(kind: ContextKind): void {
    const count = this.counts[kind];
    if (count < OTHERS_MAX) return;
    throw rejectedExecution(`rejected execution of a search: the shard holds [${count}] contexts of it already`);
  }

  /** Throws `search_context_missing_exception` when it was freed or has expired. */
  get(id: number): SearchContext {
    const context = this.contexts.get(id);
    if (context === undefined) {
      throw new ShoalError('search_context_missing_exception', 404, `No search context found for id [${id}]`);
    }
    return context;
  }

  /** Runs `use` while the context is retained; its keep-alive starts again at the end. `keepAliveMs` 0: for as long as before. */
  async during<T>(id: number, keepAliveMs: number, use: (context: SearchContext) => Promise<T>): Promise<T> {
    const context = this.get(id);
    if (keepAliveMs > 0) context.keepAliveMs = keepAliveMs;
    context.users++;
    try {
      return await use(context);
    } finally {
      context.users--;
      assert(context.users >= 0, `context ${id} has ${context.users} users`);
      context.expiresAtMs = this.clock.monotonicMs() + context.keepAliveMs;
      if (context.users === 0 && !this.contexts.has(id)) this.releaseSearcher(context.searcher);
    }
  }

  /** false: there is none of this number any more. */
  free(id: number): boolean {
    const context = this.contexts.get(id);
    if (context === undefined) return false;
    this.contexts.delete(id);
    this.counts[context.kind]--;
    if (context.kind === 'scroll') this.scrolls.remove();
    assert(this.counts[context.kind] >= 0, `${this.counts[context.kind]} contexts of kind ${context.kind}`);
    this.onFreed(id, context);
    // Whoever still uses it lets it go at the end.
    if (context.users === 0) this.releaseSearcher(context.searcher);
    return true;
  }

  freeAll(kind: ContextKind): number {
    let freed = 0;
    for (const id of this.contexts.sortedKeys()) if (this.contexts.get(id)?.kind === kind && this.free(id)) freed++;
    return freed;
  }

  close(): void {
    for (const id of this.contexts.sortedKeys()) this.free(id);
    this.cancelReaper?.();
    this.cancelReaper = null;
  }

  private scheduleReaper(): void {
    if (this.cancelReaper !== null || this.contexts.size === 0) return;
    this.cancelReaper = this.sched.after(REAP_EVERY_MS, () => {
      this.cancelReaper = null;
      const now = this.clock.monotonicMs();
      for (const id of this.contexts.sortedKeys()) {
        const context = this.contexts.get(id);
        if (context?.users === 0 && context.expiresAtMs <= now) this.free(id);
      }
      this.scheduleReaper();
    });
  }
}
