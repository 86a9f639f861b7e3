/**
 * A follower's side of failure detection: asks its leader every second whether it still leads with this node in.
 *
 * A closed socket and any refusal end it at once (the node then finds the leader again, or another); silence after some
 * tries.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';
import type { CoordinationSettings } from '../effects/coordination-settings.ts';
import type { Outbox } from '../effects/outbox.ts';
import type { NodeId } from '../steps/accepted-state.ts';
import { isSameProcess } from '../steps/node-roles.ts';

const CHECK_TIMER = 'leaderCheck';

export class LeaderChecks<V> {
  private readonly outbox: Outbox<V>;
  private readonly settings: () => CoordinationSettings;
  private readonly lost: (reason: string) => void;
  private watch: { readonly leader: DiscoveryNode; failureCount: number } | null = null;
  private lostLeader: DiscoveryNode | null = null;

  constructor(outbox: Outbox<V>, settings: () => CoordinationSettings, lost: (reason: string) => void) {
    this.outbox = outbox;
    this.settings = settings;
    this.lost = lost;
  }

  start(leader: DiscoveryNode): void {
    this.stop();
    this.lostLeader = null;
    this.watch = { leader, failureCount: 0 };
    // The first question waits: the leader may not have this node in its list yet.
    this.checkLater();
  }

  /**
   * The last leader, if these checks ended its time and it is not in sight again; once. A new leader that had to find out
   * again would wait for it in its first publication.
   */
  takeLost(inSight: readonly DiscoveryNode[]): DiscoveryNode | null {
    const lost = this.lostLeader;
    this.lostLeader = null;
    return lost === null || inSight.some((node) => isSameProcess(node, lost)) ? null : lost;
  }

  stop(): void {
    this.watch = null;
    this.outbox.cancel(CHECK_TIMER);
  }

  disconnected(process: { readonly id: NodeId; readonly ephemeralId: string }): void {
    if (this.watch !== null && isSameProcess(this.watch.leader, process)) this.fail('disconnected from the leader');
  }

  private check(): void {
    const watch = this.watch;
    if (watch === null) return;
    const options = { channel: 'ping', timeoutMs: this.settings().leaderCheckTimeoutMs } as const;
    this.outbox.send(watch.leader, { kind: 'leaderCheck' }, options, {
      answered: () => {
        if (this.watch !== watch) return;
        watch.failureCount = 0;
        this.checkLater();
      },
      failed: ({ cause, reason }) => {
        if (this.watch !== watch) return;
        watch.failureCount += 1;
        const isFinal = cause !== 'timeout' || watch.failureCount >= this.settings().leaderCheckRetries;
        if (isFinal) this.fail(`leader check failed: ${reason}`);
        else this.checkLater();
      },
    });
  }

  private checkLater(): void {
    this.outbox.schedule(CHECK_TIMER, this.settings().leaderCheckIntervalMs, () => this.check());
  }

  private fail(reason: string): void {
    this.lostLeader = this.watch?.leader ?? null;
    this.stop();
    this.lost(reason);
  }
}
