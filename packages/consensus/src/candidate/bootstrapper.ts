/**
 * Sets the first voting configuration of this node when its plan says so. After that it never acts again.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';
import type { ConsensusHolder } from '../effects/consensus-holder.ts';
import type { BootstrapPlan } from '../effects/coordination-events.ts';
import type { Outbox } from '../effects/outbox.ts';
import { isEligible } from '../steps/node-roles.ts';
import { votingConfig } from '../steps/voting-config.ts';
import { decideBootstrap } from './bootstrap.ts';

const BOOTSTRAP_TIMER = 'bootstrap';

export class Bootstrapper<V> {
  private readonly outbox: Outbox<V>;
  private readonly local: DiscoveryNode;
  private readonly plan: BootstrapPlan;
  private readonly consensus: ConsensusHolder<V>;
  private lastRefusal = '';

  constructor(parts: {
    readonly outbox: Outbox<V>;
    readonly local: DiscoveryNode;
    readonly plan: BootstrapPlan;
    readonly consensus: ConsensusHolder<V>;
  }) {
    this.outbox = parts.outbox;
    this.local = parts.local;
    this.plan = parts.plan;
    this.consensus = parts.consensus;
  }

  /** `found` runs when the time of a best-effort bootstrap has come: the peers by then, or null when a leader is known. */
  start(bestEffortMs: number, found: () => readonly DiscoveryNode[] | null, done: () => void): void {
    if (this.plan.kind === 'singleNode') this.set([this.local.id]);
    if (this.plan.kind !== 'bestEffort') return;
    this.outbox.schedule(BOOTSTRAP_TIMER, bestEffortMs, () => {
      const peers = found();
      if (peers === null) return;
      this.set([this.local, ...peers].filter(isEligible).map((node) => node.id));
      done();
    });
  }

  peersChanged(peers: readonly DiscoveryNode[]): void {
    if (this.plan.kind !== 'initialNodes' || !this.isNeeded()) return;
    const decision = decideBootstrap(this.plan.names, this.local, peers);
    if (decision.kind === 'set') this.set(decision.config);
    else if (decision.kind === 'refused' && decision.reason !== this.lastRefusal) {
      this.lastRefusal = decision.reason;
      this.outbox.log('warn', 'cannot bootstrap a cluster', { reason: decision.reason });
    }
  }

  private set(ids: readonly string[]): void {
    if (!this.isNeeded()) return;
    const config = votingConfig(ids);
    const attempt = this.consensus.setInitialConfiguration(config);
    this.outbox.log('info', 'initial voting configuration', { config, isSet: attempt.kind === 'done' });
  }

  private isNeeded(): boolean {
    return isEligible(this.local) && this.consensus.accepted.acceptedConfig.length === 0;
  }
}
