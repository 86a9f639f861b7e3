/**
 * One publication of a leader: propose to all, commit on a quorum, wait for all to apply, within a time.
 *
 * It ends once: failed (not enough acceptances possible, or too late: the outcome is then unknown, a later leader may have
 * inherited it), or committed. After a committed end late nodes are still served: they accept, then are told to apply.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { assert } from '@shoal/core';
import type { CoordinationSettings } from '../effects/coordination-settings.ts';
import type { Outbox } from '../effects/outbox.ts';
import type { AcceptedState, NodeId } from '../steps/accepted-state.ts';
import type { CoordResponse, Join } from '../steps/coord-message.ts';

const PUBLISH_TIMER = 'publish';

type TargetPhase = 'publishing' | 'accepted' | 'applied' | 'failed';

export type PublicationEnd =
  | { readonly kind: 'committed'; readonly allApplied: boolean }
  | { readonly kind: 'failed'; readonly reason: string };

export interface PublicationHooks {
  settings(): CoordinationSettings;
  /** The leader accepts its own proposal: durable when this returns its effects. */
  acceptLocally(): void;
  /** Counts an acceptance; true when the state is committed by it. */
  countVote(from: NodeId, response: { readonly term: number; readonly version: number }): boolean;
  /** The vote that came with an acceptance, or that none came. */
  voteReceived(from: DiscoveryNode, vote: Join | null): void;
  canCommitWith(nodes: ReadonlySet<NodeId>): boolean;
  commitLocally(): void;
  nodeApplied(id: NodeId): void;
  ended(end: PublicationEnd): void;
}

export class Publication<V> {
  readonly state: AcceptedState<V>;
  private readonly outbox: Outbox<V>;
  private readonly local: NodeId;
  private readonly hooks: PublicationHooks;
  private readonly targets: ReadonlyMap<NodeId, DiscoveryNode>;
  private readonly phases = new Map<NodeId, TargetPhase>();
  /** Nodes that accepted the state, those that failed afterwards too: an acceptance is durable. */
  private readonly acceptances = new Set<NodeId>();
  private isCommitted = false;
  private isEnded = false;
  /** Stepped down: nothing that still arrives may have an effect. */
  private isCancelled = false;

  constructor(
    outbox: Outbox<V>,
    local: NodeId,
    publication: { readonly state: AcceptedState<V>; readonly nodes: ReadonlyMap<NodeId, DiscoveryNode> },
    hooks: PublicationHooks,
  ) {
    this.outbox = outbox;
    this.local = local;
    this.state = publication.state;
    this.targets = publication.nodes;
    this.hooks = hooks;
  }

  get committed(): boolean {
    return this.isCommitted;
  }

  start(): void {
    const { publishTimeoutMs } = this.hooks.settings();
    this.outbox.schedule(PUBLISH_TIMER, publishTimeoutMs, () => this.timedOut());
    for (const [id, node] of this.targets) {
      this.phases.set(id, 'publishing');
      if (id !== this.local) this.propose(node);
    }
    this.phases.set(this.local, 'publishing');
    // The others read and write the state while the leader's own disk does.
    this.hooks.acceptLocally();
    this.acceptedBy(this.local, { term: this.state.term, version: this.state.version });
  }

  /** A check or the connection says that this node is gone. */
  nodeFailed(id: NodeId): void {
    if (this.isCancelled || this.isEnded || !this.phases.has(id) || id === this.local) return;
    this.fail(id);
  }

  cancel(reason: string): void {
    this.isCancelled = true;
    if (this.isEnded) return;
    this.end(this.isCommitted ? { kind: 'committed', allApplied: false } : { kind: 'failed', reason });
  }

  private propose(node: DiscoveryNode): void {
    const options = { channel: 'state', timeoutMs: this.hooks.settings().publishTimeoutMs } as const;
    this.outbox.send(node, { kind: 'publish', state: this.state }, options, {
      answered: (response) => this.proposalAnswered(node, response),
      failed: ({ reason }) => {
        if (this.isCancelled) return;
        this.outbox.log('debug', 'publication failed on node', {
          node: node.name,
          reason,
          version: this.state.version,
        });
        this.fail(node.id);
      },
    });
  }

  private proposalAnswered(node: DiscoveryNode, response: CoordResponse): void {
    if (this.isCancelled || response.kind !== 'publish') return;
    this.hooks.voteReceived(node, response.join);
    if (this.phases.get(node.id) !== 'publishing') return;
    this.acceptedBy(node.id, response);
  }

  private acceptedBy(id: NodeId, response: { readonly term: number; readonly version: number }): void {
    this.phases.set(id, 'accepted');
    this.acceptances.add(id);
    if (this.isCommitted) {
      this.tellCommit(id);
    } else if (this.hooks.countVote(id, response)) {
      this.isCommitted = true;
      const { term, version } = this.state;
      assert(this.hooks.canCommitWith(this.acceptances), `${term}/${version} committed by [${[...this.acceptances]}]`);
      for (const [target, phase] of this.phases) if (phase === 'accepted') this.tellCommit(target);
      this.hooks.commitLocally();
    }
    this.endIfDone();
  }

  private tellCommit(id: NodeId): void {
    const node = this.targets.get(id);
    if (node === undefined || id === this.local) return;
    const { publishTimeoutMs, followerLagTimeoutMs } = this.hooks.settings();
    // Longer than the lag detector waits: a late answer still counts as applied.
    const options = { channel: 'state', timeoutMs: publishTimeoutMs + followerLagTimeoutMs } as const;
    const commit = { kind: 'applyCommit', term: this.state.term, version: this.state.version } as const;
    this.outbox.send(node, commit, options, {
      answered: () => {
        if (this.isCancelled) return;
        this.phases.set(id, 'applied');
        this.hooks.nodeApplied(id);
        this.endIfDone();
      },
      failed: () => {
        if (!this.isCancelled) this.fail(id);
      },
    });
  }

  private fail(id: NodeId): void {
    if (this.phases.get(id) === 'applied') return;
    this.phases.set(id, 'failed');
    this.endIfDone();
  }

  private endIfDone(): void {
    if (this.isEnded) return;
    if (!this.isCommitted) {
      const possible = new Set([...this.phases].filter(([, phase]) => phase !== 'failed').map(([id]) => id));
      if (!this.hooks.canCommitWith(possible))
        this.end({ kind: 'failed', reason: 'non-failed nodes do not form a quorum' });
      return;
    }
    const others = [...this.phases].filter(([id]) => id !== this.local).map(([, phase]) => phase);
    if (others.every((phase) => phase === 'applied' || phase === 'failed')) {
      this.end({ kind: 'committed', allApplied: !others.includes('failed') });
    }
  }

  private timedOut(): void {
    if (this.isEnded) return;
    this.end(
      this.isCommitted ? { kind: 'committed', allApplied: false } : { kind: 'failed', reason: 'publication timed out' },
    );
  }

  private end(end: PublicationEnd): void {
    const { term, version } = this.state;
    assert(!this.isEnded, `publication of ${term}/${version} ends twice`);
    assert((end.kind === 'committed') === this.isCommitted, `publication of ${term}/${version} ends as ${end.kind}`);
    this.isEnded = true;
    this.outbox.cancel(PUBLISH_TIMER);
    this.hooks.ended(end);
  }
}
