/**
 * Text that says why no cluster manager is elected yet. Logged every ten seconds and shown by health and the doctor.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';
import type { BootstrapPlan } from '../effects/coordination-events.ts';
import type { Outbox } from '../effects/outbox.ts';
import type { StateHeader, VotingConfig } from '../steps/accepted-state.ts';
import { addressText, isEligible } from '../steps/node-roles.ts';
import { TERM_MAX } from '../steps/term-reach.ts';
import { PLACEHOLDER_PREFIX } from './bootstrap.ts';

const WARNING_TIMER = 'formationWarning';

/** Logs the text at an interval while there is no cluster manager. */
export class FormationWarnings<V> {
  private readonly outbox: Outbox<V>;
  private readonly missing: () => string;

  constructor(outbox: Outbox<V>, missing: () => string) {
    this.outbox = outbox;
    this.missing = missing;
  }

  start(intervalMs: number): void {
    this.outbox.schedule(WARNING_TIMER, intervalMs, () => {
      this.outbox.log('warn', 'no cluster manager yet', { missing: this.missing() });
      this.start(intervalMs);
    });
  }

  stop(): void {
    this.outbox.cancel(WARNING_TIMER);
  }
}

export function describeMissing(known: {
  readonly local: DiscoveryNode;
  readonly peers: readonly DiscoveryNode[];
  readonly accepted: StateHeader;
  readonly term: number;
  readonly bootstrap: BootstrapPlan;
  readonly unreachable: readonly { readonly address: string; readonly reason: string }[];
}): string {
  const { local, peers, accepted, term, bootstrap } = known;
  const found = [local, ...peers].map((node) => `${node.name} at ${addressText(node)}`).join(', ');
  const failed = known.unreachable.map(({ address, reason }) => `${address} (${reason})`).join(', ');
  const tail =
    `; discovered [${found}]${failed === '' ? '' : `; cannot reach [${failed}]`}` +
    `; term ${term}, last accepted version ${accepted.version} of term ${accepted.term}`;
  if (term >= TERM_MAX)
    return `term ${term} leaves no room for an election: stop all nodes and run [shoal node reset-term]${tail}`;
  if (!isEligible(local)) return `this node cannot be cluster manager and has not found one${tail}`;
  if (accepted.acceptedConfig.length === 0) return `${describeBootstrap(bootstrap)}${tail}`;
  const { acceptedConfig, committedConfig } = accepted;
  const both = acceptedConfig.join() === committedConfig.join() ? [committedConfig] : [committedConfig, acceptedConfig];
  return `an election needs ${both.map(describeQuorum).join(' and ')}${tail}`;
}

function describeBootstrap(plan: BootstrapPlan): string {
  if (plan.kind === 'initialNodes') {
    return `this node belongs to no cluster yet and waits for more than half of cluster.initial_cluster_manager_nodes [${plan.names.join(', ')}]`;
  }
  if (plan.kind === 'none') {
    return 'this node belongs to no cluster yet and cluster.initial_cluster_manager_nodes is empty here';
  }
  return 'this node belongs to no cluster yet';
}

function describeQuorum(config: VotingConfig): string {
  const ids = config.map((id) =>
    id.startsWith(PLACEHOLDER_PREFIX) ? `not found: ${id.slice(PLACEHOLDER_PREFIX.length)}` : id,
  );
  return `${Math.floor(config.length / 2) + 1} of the nodes [${ids.join(', ')}]`;
}
