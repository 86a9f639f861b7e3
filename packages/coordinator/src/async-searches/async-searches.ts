/**
 * The asynchronous searches of this node by their ids. They live in its memory, bounded in number and bytes, and end with it;
 * their ids name it, so that any node finds them.
 */
import { circuitBreaking, renderCause, ShoalError, writeJson } from '@shoal/core';
import type { Cancel, Clock, Random, Scheduler } from '@shoal/runtime';
import { type AsyncContent, AsyncSearch, contentBytes } from './async-search.ts';

/** Searches that run or are kept. */
const SEARCHES_MAX = 1_000;
const BYTES_MAX = 128 * 1024 * 1024;
const TOKEN_BYTES = 18;
/** Longest wait for the next one to expire: a timer cannot wait for months. */
const SWEEP_MS_MAX = 60_000;
/** Node and token: neither has a colon. */
const ID_FORM = /^([^:]+):[\w-]+$/;

export interface AsyncLimits {
  readonly searchesMax: number;
  readonly bytesMax: number;
}

export class AsyncSearches {
  readonly #clock: Clock;
  readonly #sched: Scheduler;
  readonly #random: Random;
  readonly #limits: AsyncLimits;
  readonly #searches = new Map<string, AsyncSearch>();
  #bytes = 0;
  #stopSweep: Cancel | null = null;

  constructor(
    { clock, sched, random }: { readonly clock: Clock; readonly sched: Scheduler; readonly random: Random },
    limits: AsyncLimits = { searchesMax: SEARCHES_MAX, bytesMax: BYTES_MAX },
  ) {
    this.#clock = clock;
    this.#sched = sched;
    this.#random = random.fork('async-searches');
    this.#limits = limits;
  }

  /** @param cancel called when nobody wants the search any more. @throws es_rejected_execution_exception when there are too many */
  begin(nodeId: string, keepAliveMs: number, cancel: (reason: string) => void): AsyncSearch {
    if (this.#searches.size >= this.#limits.searchesMax) {
      const reason = `there are [${this.#limits.searchesMax}] asynchronous searches on this node; delete some of them`;
      throw new ShoalError('es_rejected_execution_exception', 429, reason);
    }
    const token = Buffer.from(this.#random.bytes(TOKEN_BYTES)).toString('base64url');
    const id = Buffer.from(`${nodeId}:${token}`).toString('base64url');
    const startedMs = this.#clock.wallMs();
    const search = new AsyncSearch(id, { startedMs, expiresMs: startedMs + keepAliveMs }, cancel);
    this.#searches.set(id, search);
    this.#arm();
    return search;
  }

  /** null: there is none, or no longer. */
  find(id: string): AsyncSearch | null {
    const search = this.#searches.get(id);
    if (search === undefined) return null;
    if (search.expiresMs > this.#clock.wallMs()) return search;
    this.remove(search);
    return null;
  }

  /** Keeps what came of a search. Where there is no room, it is told in its place. */
  finish(search: AsyncSearch, content: AsyncContent): void {
    const isKept = this.#searches.get(search.id) === search;
    const wanted = this.#bytes + contentBytes(content);
    const kept = isKept && wanted > this.#limits.bytesMax ? this.#noRoom(content, wanted) : content;
    search.finish(kept);
    if (isKept) this.#bytes += search.bytes;
  }

  /** Keeps a search so long from now on. */
  keep(search: AsyncSearch, keepAliveMs: number): void {
    search.expiresMs = this.#clock.wallMs() + keepAliveMs;
    this.#arm();
  }

  /** Forgets a search; one that runs is cancelled. */
  remove(search: AsyncSearch): void {
    if (!this.#searches.delete(search.id)) return;
    this.#bytes -= search.bytes;
    search.cancel('async search was deleted');
  }

  /** Forgets all searches; those that run are cancelled. */
  removeAll(): void {
    for (const search of [...this.#searches.values()]) this.remove(search);
  }

  #noRoom({ shards }: AsyncContent, wanted: number): AsyncContent {
    const limit = this.#limits.bytesMax;
    const reason = `[request] Data too large, data for [<async_search>] would be [${wanted}], which is larger than the limit of [${limit}]`;
    const error = circuitBreaking(reason, { wanted, limit });
    return { status: error.status, response: null, error: writeJson(renderCause(error)), shards };
  }

  /** Waits for the search that expires next. */
  #arm(): void {
    this.#stopSweep?.();
    this.#stopSweep = null;
    if (this.#searches.size === 0) return;
    let next = Number.POSITIVE_INFINITY;
    for (const { expiresMs } of this.#searches.values()) next = Math.min(next, expiresMs);
    const waitMs = Math.min(SWEEP_MS_MAX, Math.max(1, next - this.#clock.wallMs()));
    this.#stopSweep = this.#sched.after(waitMs, () => this.#sweep());
  }

  #sweep(): void {
    for (const id of [...this.#searches.keys()]) this.find(id);
    this.#arm();
  }
}

/** The node that has the search of an id; null for what is no id. */
export function asyncSearchNode(id: string): string | null {
  return ID_FORM.exec(Buffer.from(id, 'base64url').toString())?.[1] ?? null;
}
