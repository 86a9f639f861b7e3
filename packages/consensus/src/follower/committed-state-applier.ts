/**
 * Brings states into force on this node: committed ones under their manager, and the last of them again, without a
 * manager, when the node loses it.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { assert } from '@shoal/core';
import type { Outbox } from '../effects/outbox.ts';
import type { AcceptedState } from '../steps/accepted-state.ts';
import { isAtMostAsFresh } from '../steps/consensus-state.ts';

export class StateApplier<V> {
  private readonly outbox: Outbox<V>;
  private readonly applying = new Map<number, (failure: string | null) => void>();
  private nextTicket = 1;
  private lastCommitted: AcceptedState<V> | null = null;

  constructor(outbox: Outbox<V>) {
    this.outbox = outbox;
  }

  /** A commit is decided, whether or not it is applied here under its own leader. */
  committed(state: AcceptedState<V>): void {
    const last = this.lastCommitted;
    assert(
      last === null || isAtMostAsFresh(last, state),
      `commit of ${state.term}/${state.version} after that of ${last?.term}/${last?.version}`,
    );
    this.lastCommitted = state;
  }

  apply(state: AcceptedState<V>, manager: DiscoveryNode | null, done: (failure: string | null) => void): void {
    const ticket = this.nextTicket++;
    this.applying.set(ticket, done);
    this.outbox.emit({ kind: 'apply', ticket, state, manager });
  }

  /** Shows the last committed state without a manager. Before the first commit there is none to show. */
  applyWithoutManager(): void {
    if (this.lastCommitted !== null) this.apply(this.lastCommitted, null, () => undefined);
  }

  applied(ticket: number, failure: string | null): void {
    const done = this.applying.get(ticket);
    assert(done !== undefined, `apply ${ticket} was reported twice or never asked for`);
    this.applying.delete(ticket);
    done(failure);
  }
}
