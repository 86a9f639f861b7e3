/**
 * Searches of this thread that other threads were asked to take part in. The main thread finds them, and hands over what they say.
 */
import type { AskedGuests, GuestSearch, PartStates } from '@shoal/engine';
import type { Scheduler } from '@shoal/runtime';
import { type FromWorker, NO_SHARD, type ToWorker } from '../calls/worker-calls.ts';

type Wanted = Extract<FromWorker, { readonly kind: 'guestsWanted' }>;
type Answer = Extract<ToWorker, { readonly kind: 'guestAnswer' }>;

interface Ask {
  readonly onStates: (found: readonly PartStates[]) => void;
  areDone: boolean;
  wake: () => void;
}

export class GuestAsks {
  readonly #sched: Scheduler;
  readonly #post: (message: Wanted) => void;
  readonly #asks = new Map<number, Ask>();
  #nextId = 1;

  constructor(sched: Scheduler, post: (message: Wanted) => void) {
    this.#sched = sched;
    this.#post = post;
  }

  ask({ searcher, request, shared }: GuestSearch, onStates: (found: readonly PartStates[]) => void): AskedGuests {
    const { packed, nowMs, shardIndex, reader, statistics, indexBoost } = request;
    const sched = this.#sched;
    const ask: Ask = { onStates, areDone: packed === null, wake: () => {} };
    if (packed !== null) {
      const askId = this.#nextId++;
      this.#asks.set(askId, ask);
      const { search, aliasFilter } = packed;
      // A view would be cloned with all of the message that it is a part of.
      const own = { search: search.slice(), aliasFilter: aliasFilter?.slice() ?? null };
      const hits = { topN: 0, keepAliveMs: 0, isScroll: false, canSkip: false, usesCache: false };
      const query = { ...own, ...hits, nowMs, shardIndex, reader, statistics, indexBoost };
      this.#post({ kind: 'guestsWanted', askId, args: { key: NO_SHARD, searcher, query, shared } });
    }
    return {
      get areDone(): boolean {
        return ask.areDone;
      },
      wait: (ms) =>
        new Promise((resolve) => {
          const stopTimer = sched.after(ms, resolve);
          ask.wake = () => {
            stopTimer();
            resolve();
          };
        }),
    };
  }

  answered({ askId, found, isLast }: Answer): void {
    const ask = this.#asks.get(askId);
    if (ask === undefined) return;
    if (isLast) {
      ask.areDone = true;
      this.#asks.delete(askId);
    }
    if (found !== null) ask.onStates(found);
    ask.wake();
  }
}
