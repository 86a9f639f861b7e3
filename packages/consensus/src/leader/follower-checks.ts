/**
 * The leader's side of failure detection: asks each member every second whether it still follows.
 *
 * A closed socket or an unhealthy answer fails the node at once; silence and refusals after some tries.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';
import type { CoordinationSettings } from '../effects/coordination-settings.ts';
import type { Outbox, RequestFailure } from '../effects/outbox.ts';
import type { NodeId, NodeRemoval } from '../steps/accepted-state.ts';
import { isSameProcess } from '../steps/node-roles.ts';

/** Prefix of the reason of every refusal by a node whose disk or event loop fails its health check. */
export const UNHEALTHY = 'node is unhealthy';

interface Watched {
  readonly node: DiscoveryNode;
  failureCount: number;
}

export class FollowerChecks<V> {
  private readonly outbox: Outbox<V>;
  private readonly settings: () => CoordinationSettings;
  private readonly term: number;
  private readonly failed: (removal: NodeRemoval) => void;
  private readonly watched = new Map<NodeId, Watched>();

  constructor(
    outbox: Outbox<V>,
    settings: () => CoordinationSettings,
    term: number,
    failed: (removal: NodeRemoval) => void,
  ) {
    this.outbox = outbox;
    this.settings = settings;
    this.term = term;
    this.failed = failed;
  }

  /** Watches exactly these from now on; those that were watched already keep their count. */
  watch(nodes: readonly DiscoveryNode[]): void {
    const wanted = new Map(nodes.map((node) => [node.id, node]));
    for (const { node } of [...this.watched.values()]) {
      const stays = wanted.get(node.id);
      if (stays === undefined || !isSameProcess(stays, node)) this.forget(node.id);
    }
    for (const node of nodes) {
      if (this.watched.has(node.id)) continue;
      const entry: Watched = { node, failureCount: 0 };
      this.watched.set(node.id, entry);
      this.check(entry);
    }
  }

  stop(): void {
    this.watch([]);
  }

  disconnected(process: { readonly id: NodeId; readonly ephemeralId: string }): void {
    const entry = this.watched.get(process.id);
    if (entry !== undefined && isSameProcess(entry.node, process)) this.fail(entry, 'disconnected');
  }

  private check(entry: Watched): void {
    const options = { channel: 'ping', timeoutMs: this.settings().followerCheckTimeoutMs } as const;
    this.outbox.send(entry.node, { kind: 'followerCheck', term: this.term }, options, {
      answered: () => {
        if (this.watched.get(entry.node.id) !== entry) return;
        entry.failureCount = 0;
        this.checkLater(entry);
      },
      failed: (failure) => {
        if (this.watched.get(entry.node.id) === entry) this.checkFailed(entry, failure);
      },
    });
  }

  private checkFailed(entry: Watched, { cause, reason }: RequestFailure): void {
    entry.failureCount += 1;
    if (cause === 'disconnected') this.fail(entry, 'disconnected');
    else if (cause === 'refused' && reason.startsWith(UNHEALTHY)) this.fail(entry, 'health check failed');
    else if (entry.failureCount >= this.settings().followerCheckRetries) {
      this.fail(entry, 'followers check retry count exceeded');
    } else this.checkLater(entry);
  }

  private checkLater(entry: Watched): void {
    this.outbox.schedule(timerOf(entry.node.id), this.settings().followerCheckIntervalMs, () => this.check(entry));
  }

  private fail(entry: Watched, reason: NodeRemoval['reason']): void {
    this.forget(entry.node.id);
    this.failed({ node: entry.node, reason });
  }

  private forget(id: NodeId): void {
    this.watched.delete(id);
    this.outbox.cancel(timerOf(id));
  }
}

function timerOf(id: NodeId): string {
  return `followerCheck:${id}`;
}
