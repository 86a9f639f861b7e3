/**
 * Readers kept between the query and the fetch phase of a search.
 *
 * A context is one number for the caller and one point-in-time view for us; unfetched ones end after their keep-alive, so
 * that a coordinator that died does not hold segments for ever.
 */
import { rejectedExecution, ShoalError } from '@shoal/core';
import type { Cancel, Clock, Scheduler } from '@shoal/runtime';
import type { Searcher } from '../segment/segment-reader.ts';

const CONTEXTS_MAX = 500;
const REAP_EVERY_MS = 1_000;

interface Context {
  /** Held by the context, released when it ends. */
  readonly searcher: Searcher;
  readonly expiresAtMs: number;
}

export class SearchContexts {
  private readonly contexts = new Map<number, Context>();
  private readonly clock: Clock;
  private readonly sched: Scheduler;
  private readonly releaseSearcher: (searcher: Searcher) => void;
  private nextId = 1;
  private cancelReaper: Cancel | null = null;

  constructor(clock: Clock, sched: Scheduler, releaseSearcher: (searcher: Searcher) => void) {
    this.clock = clock;
    this.sched = sched;
    this.releaseSearcher = releaseSearcher;
  }

  get size(): number {
    return this.contexts.size;
  }

  /** Takes over the caller's hold of the searcher, unless it throws. */
  open(searcher: Searcher, keepAliveMs: number): number {
    if (this.contexts.size >= CONTEXTS_MAX) {
      throw rejectedExecution(
        `Trying to create too many search contexts. Must be less than or equal to: [${CONTEXTS_MAX}].`,
      );
    }
    const id = this.nextId++;
    this.contexts.set(id, { searcher, expiresAtMs: this.clock.monotonicMs() + keepAliveMs });
    this.scheduleReaper();
    return id;
  }

  /** Throws `search_context_missing_exception` when it was freed or has expired. */
  get(id: number): Searcher {
    const context = this.contexts.get(id);
    if (context === undefined) {
      throw new ShoalError('search_context_missing_exception', 404, `No search context found for id [${id}]`);
    }
    return context.searcher;
  }

  free(id: number): void {
    const context = this.contexts.get(id);
    if (context === undefined) return;
    this.contexts.delete(id);
    this.releaseSearcher(context.searcher);
  }

  close(): void {
    for (const id of [...this.contexts.keys()]) this.free(id);
    this.cancelReaper?.();
    this.cancelReaper = null;
  }

  private scheduleReaper(): void {
    if (this.cancelReaper !== null || this.contexts.size === 0) return;
    this.cancelReaper = this.sched.after(REAP_EVERY_MS, () => {
      this.cancelReaper = null;
      const now = this.clock.monotonicMs();
      for (const [id, context] of this.contexts) if (context.expiresAtMs <= now) this.free(id);
      this.scheduleReaper();
    });
  }
}
