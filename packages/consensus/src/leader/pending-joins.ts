/**
 * Nodes that want in and wait for the answer: while an election is open, and on the leader until the state that adds them
 * is committed.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';
import type { Outbox } from '../effects/outbox.ts';
import type { NodeId } from '../steps/accepted-state.ts';

export interface PendingJoin {
  readonly node: DiscoveryNode;
  /** Question to answer; null: the node is this one. */
  readonly replyTo: number | null;
}

export class PendingJoins<V> {
  private readonly outbox: Outbox<V>;
  private readonly joins = new Map<NodeId, PendingJoin>();

  constructor(outbox: Outbox<V>) {
    this.outbox = outbox;
  }

  get size(): number {
    return this.joins.size;
  }

  /** Keeps the newest join of each node: it comes from the newest process. An earlier one is refused. */
  add(node: DiscoveryNode, replyTo: number | null): void {
    const earlier = this.joins.get(node.id);
    if (earlier !== undefined) this.outbox.refuse(earlier.replyTo, 'superseded by a later join request');
    this.joins.set(node.id, { node, replyTo });
  }

  takeAll(): readonly PendingJoin[] {
    const all = [...this.joins.values()];
    this.joins.clear();
    return all;
  }

  refuseAll(reason: string): void {
    refuseJoins(this.outbox, this.takeAll(), reason);
  }
}

export function acknowledgeJoins<V>(outbox: Outbox<V>, joins: readonly PendingJoin[]): void {
  for (const join of joins) outbox.acknowledge(join.replyTo);
}

export function refuseJoins<V>(outbox: Outbox<V>, joins: readonly PendingJoin[], reason: string): void {
  for (const join of joins) outbox.refuse(join.replyTo, reason);
}
