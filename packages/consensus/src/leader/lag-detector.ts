/**
 * Removes members that accepted a publication but do not apply it: a node that lives in the past answers wrongly.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';
import type { CoordinationSettings } from '../effects/coordination-settings.ts';
import type { Outbox } from '../effects/outbox.ts';
import type { NodeId } from '../steps/accepted-state.ts';

export class LagDetector<V> {
  private readonly outbox: Outbox<V>;
  private readonly settings: () => CoordinationSettings;
  private readonly lagging: (node: DiscoveryNode) => void;
  private readonly members = new Map<NodeId, { readonly node: DiscoveryNode; appliedVersion: number }>();
  /** Versions whose timers run, for `stop`. */
  private readonly waiting = new Set<number>();

  constructor(outbox: Outbox<V>, settings: () => CoordinationSettings, lagging: (node: DiscoveryNode) => void) {
    this.outbox = outbox;
    this.settings = settings;
    this.lagging = lagging;
  }

  track(nodes: readonly DiscoveryNode[]): void {
    const kept = new Map(this.members);
    this.members.clear();
    for (const node of nodes) {
      const known = kept.get(node.id);
      const isKnown = known !== undefined && known.node.ephemeralId === node.ephemeralId;
      this.members.set(node.id, isKnown ? known : { node, appliedVersion: 0 });
    }
  }

  applied(id: NodeId, version: number): void {
    const member = this.members.get(id);
    if (member !== undefined) member.appliedVersion = Math.max(member.appliedVersion, version);
  }

  /** A publication is over: whoever is behind has this long to catch up. */
  expect(version: number): void {
    if (this.behind(version).length === 0) return;
    this.waiting.add(version);
    this.outbox.schedule(timerOf(version), this.settings().followerLagTimeoutMs, () => {
      this.waiting.delete(version);
      for (const node of this.behind(version)) this.lagging(node);
    });
  }

  stop(): void {
    for (const version of this.waiting) this.outbox.cancel(timerOf(version));
    this.waiting.clear();
    this.members.clear();
  }

  private behind(version: number): DiscoveryNode[] {
    return [...this.members.values()].filter((member) => member.appliedVersion < version).map((member) => member.node);
  }
}

function timerOf(version: number): string {
  return `lag:${version}`;
}
