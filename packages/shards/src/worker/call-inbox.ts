/**
 * Calls of a shard thread that have not begun: in the order in which they came, but for searches, which go before writes.
 *
 * A write begins with a whole slice of work, so that a search behind several of them would wait for as many slices. It shows what was made
 * searchable before, whether the writes that it overtakes have begun or not. Any other call keeps its place before and behind all calls.
 */
import { assert } from '@shoal/core';
import type { ToWorker, WorkerCallName } from '../calls/worker-calls.ts';
import { poolOf } from './thread-pools.ts';

export type Call = Extract<ToWorker, { readonly kind: 'call' }>;

/** One call of so many is the oldest, whatever it is: searches without end do not keep writes from beginning. */
const OLDEST_EVERY = 4;

export class CallInbox {
  readonly #calls: Call[] = [];
  #taken = 0;

  get length(): number {
    return this.#calls.length;
  }

  add(call: Call): void {
    this.#calls.push(call);
  }

  /** The call that is to begin next, which is left out from now on. Only where there is one. */
  take(): Call {
    this.#taken = (this.#taken + 1) % OLDEST_EVERY;
    const position = this.#taken === 0 ? 0 : this.#firstSearch();
    const [call] = this.#calls.splice(position, 1);
    assert(call !== undefined, `no call at ${position} of ${this.#calls.length}`);
    return call;
  }

  /** Position of the first search before which there are only writes; 0: there is none. */
  #firstSearch(): number {
    for (const [position, { name }] of this.#calls.entries()) {
      if (isSearch(name)) return position;
      if (!isWrite(name)) return 0;
    }
    return 0;
  }
}

function isSearch(name: WorkerCallName): boolean {
  return poolOf(name) === 'search';
}

function isWrite(name: WorkerCallName): boolean {
  return poolOf(name) === 'write';
}
