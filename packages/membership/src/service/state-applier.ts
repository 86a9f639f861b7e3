/**
 * The applied state of this node: brings states into force one after the other, for listeners and for whoever waits.
 */

import type { ClusterState } from '@shoal/cluster-state';
import { assert } from '@shoal/core';
import type { Cancel, Runtime } from '@shoal/runtime';
import { nodeClosed } from '../connections/node-closed.ts';
import type { StateChange } from './cluster-service.ts';

export type StateListener = (change: StateChange) => void | Promise<void>;

interface Waiter {
  readonly predicate: (state: ClusterState) => boolean;
  readonly resolve: (state: ClusterState | null) => void;
}

export class StateApplier {
  readonly #runtime: Runtime;
  readonly #listeners = new Set<StateListener>();
  readonly #waiters = new Set<Waiter>();
  #state: ClusterState;
  /** True while listeners handle a state. */
  #isApplying = false;
  /** True after `close`: nothing is applied and nobody waits any more. */
  #isClosed = false;

  constructor(runtime: Runtime, initial: ClusterState) {
    this.#runtime = runtime;
    this.#state = initial;
  }

  get state(): ClusterState {
    return this.#state;
  }

  /** Resolves when every listener is done with it. The caller applies one state at a time. */
  async apply(state: ClusterState): Promise<void> {
    if (this.#isClosed) return;
    const previous = this.#state;
    assert(!this.#isApplying, `state ${state.version} is applied while ${previous.version} is`);
    assert(
      state.term > previous.term || (state.term === previous.term && state.version >= previous.version),
      `state ${state.term}/${state.version} is applied after ${previous.term}/${previous.version}`,
    );
    this.#isApplying = true;
    try {
      this.#state = state;
      for (const waiter of [...this.#waiters]) if (waiter.predicate(state)) waiter.resolve(state);
      for (const listener of [...this.#listeners]) await listener({ previous, state });
    } finally {
      this.#isApplying = false;
    }
  }

  onApplied(listener: StateListener): Cancel {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Rejects with `node_closed_exception` on a closed node, where no other state comes: who waits in a loop must not spin. */
  waitFor(predicate: (state: ClusterState) => boolean, timeoutMs: number): Promise<ClusterState | null> {
    if (predicate(this.#state)) return Promise.resolve(this.#state);
    if (this.#isClosed) return Promise.reject(nodeClosed());
    if (timeoutMs <= 0) return Promise.resolve(null);
    return new Promise((resolve) => {
      const stopTimer = this.#runtime.sched.after(timeoutMs, () => waiter.resolve(null));
      const waiter: Waiter = {
        predicate,
        resolve: (state) => {
          stopTimer();
          this.#waiters.delete(waiter);
          resolve(state);
        },
      };
      this.#waiters.add(waiter);
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const waiter of [...this.#waiters]) waiter.resolve(null);
    this.#listeners.clear();
  }
}
