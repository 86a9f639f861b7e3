/**
 * Bare consensus states under a schedule: nodes without a coordinator, whose messages lie in a pool until some step of the
 * schedule delivers, repeats or drops them. Random schedules and hand-written ones use the same small set of actions.
 *
 * A step's durable part is saved at once when its rule says so; a node with that rule taken out saves it at some later
 * time, or loses it in a crash.
 */
import type { AcceptedState, DurableState, NodeId, VotingConfig } from '../steps/accepted-state.ts';
import type { ConsensusRules } from '../steps/consensus-rules.ts';
import {
  type ConsensusContext,
  type ConsensusState,
  type ConsensusStep,
  durableOf,
  initialDurableState,
  restart,
} from '../steps/consensus-state.ts';
import type { Join } from '../steps/coord-message.ts';
import { setInitialConfiguration } from '../steps/initial-configuration.ts';
import { countJoin, startJoin } from '../steps/join-vote.ts';
import { acceptState, commitState, countPublishVote, proposeState } from '../steps/publication-vote.ts';
import { votingConfig } from '../steps/voting-config.ts';
import { ConsensusChecker } from './consensus-checker.test-support.ts';

export type Packet =
  | { readonly kind: 'startJoin'; readonly to: NodeId; readonly from: NodeId; readonly term: number }
  | { readonly kind: 'join'; readonly to: NodeId; readonly from: NodeId; readonly join: Join }
  | { readonly kind: 'publish'; readonly to: NodeId; readonly from: NodeId; readonly state: AcceptedState<string> }
  | {
      readonly kind: 'accepted';
      readonly to: NodeId;
      readonly from: NodeId;
      readonly term: number;
      readonly version: number;
    }
  | {
      readonly kind: 'commit';
      readonly to: NodeId;
      readonly from: NodeId;
      readonly term: number;
      readonly version: number;
    };

/** Oldest packets fall out beyond this: a schedule that only sends must not grow without end. */
const POOL_MAX = 200;

interface BareNode {
  readonly context: ConsensusContext<string>;
  state: ConsensusState<string>;
  durable: DurableState<string>;
}

export class ConsensusSchedule {
  readonly ids: readonly NodeId[];
  readonly checker: ConsensusChecker = new ConsensusChecker();
  readonly pool: Packet[] = [];
  private readonly nodes = new Map<NodeId, BareNode>();
  private proposalCount = 0;

  constructor(ids: readonly NodeId[], initial: VotingConfig, rules: ConsensusRules) {
    this.ids = ids;
    for (const id of ids) {
      const context = { localId: id, rules, stamp: (value: string): string => value };
      const state = restart(initialDurableState(''));
      const node = { context, state, durable: durableOf(state) };
      this.nodes.set(id, node);
      if (initial.includes(id)) {
        this.take(node, setInitialConfiguration(context, state, { config: initial, clusterUuid: 'one' }));
      }
      this.save(id);
    }
  }

  stateOf(id: NodeId): ConsensusState<string> {
    return this.node(id).state;
  }

  /** Asks `voters` to vote for the candidate in a term. */
  stand(candidate: NodeId, term: number, voters: readonly NodeId[] = this.ids): void {
    for (const to of voters) this.send({ kind: 'startJoin', to, from: candidate, term });
  }

  /** Proposes a fresh value with this configuration (the present one by default). True when it was allowed. */
  propose(leader: NodeId, config?: readonly NodeId[], versionStep = 1): boolean {
    const node = this.node(leader);
    const { accepted, currentTerm } = node.state;
    const version = Math.max(accepted.version, node.state.lastPublishedVersion) + versionStep;
    this.proposalCount += 1;
    const next: AcceptedState<string> = {
      ...accepted,
      term: currentTerm,
      version,
      stateUuid: `${leader}:${this.proposalCount}`,
      acceptedConfig: config === undefined ? accepted.acceptedConfig : votingConfig(config),
      value: `${this.proposalCount}`,
    };
    const done = this.take(node, proposeState(node.context, node.state, next));
    if (done === null) return false;
    this.checker.proposed(leader, accepted, next);
    for (const to of this.ids) this.send({ kind: 'publish', to, from: leader, state: next });
    return true;
  }

  crash(id: NodeId): void {
    const node = this.node(id);
    node.state = restart(node.durable);
  }

  /** What the node has in memory reaches its disk; only matters where a rule is taken out. */
  save(id: NodeId): void {
    const node = this.node(id);
    node.durable = durableOf(node.state);
  }

  /** Delivers the first waiting packet of that kind between these two. True when it was accepted. */
  pass(kind: Packet['kind'], from: NodeId, to: NodeId): boolean {
    const at = this.pool.findIndex((packet) => packet.kind === kind && packet.from === from && packet.to === to);
    const packet = this.pool[at];
    if (packet === undefined) throw new Error(`no ${kind} waits from ${from} to ${to}`);
    this.pool.splice(at, 1);
    return this.deliver(packet);
  }

  deliver(packet: Packet): boolean {
    const node = this.node(packet.to);
    const { context, state } = node;
    switch (packet.kind) {
      case 'startJoin': {
        const join = this.take(node, startJoin(context, state, packet.from, packet.term));
        if (join !== null) this.send({ kind: 'join', to: packet.from, from: packet.to, join });
        return join !== null;
      }
      case 'join': {
        const counted = this.take(node, countJoin(context, state, packet.join));
        if (node.state.electionWon) this.checker.elected(packet.to, node.state.currentTerm);
        return counted !== null;
      }
      case 'publish': {
        const response = this.take(node, acceptState(context, state, packet.state));
        if (response === null) return false;
        this.checker.acceptedBy(packet.to, node.state.accepted);
        this.send({ kind: 'accepted', to: packet.from, from: packet.to, ...response });
        return true;
      }
      case 'accepted': {
        const counted = this.take(node, countPublishVote(context, state, packet.from, packet));
        if (counted?.committed === true) {
          const { term, version } = packet;
          this.checker.committed(term, version, node.state.publishVotes);
          for (const to of node.state.publishVotes) this.send({ kind: 'commit', to, from: packet.to, term, version });
        }
        return counted !== null;
      }
      case 'commit':
        return this.take(node, commitState(context, state, packet)) !== null;
    }
  }

  private take<Output>(node: BareNode, step: ConsensusStep<string, Output>): Output | null {
    if (step.kind === 'rejected') return null;
    node.state = step.state;
    if (step.persist !== null) node.durable = durableOf(step.state);
    return step.output;
  }

  private send(packet: Packet): void {
    this.pool.push(packet);
    if (this.pool.length > POOL_MAX) this.pool.shift();
  }

  private node(id: NodeId): BareNode {
    const node = this.nodes.get(id);
    if (node === undefined) throw new Error(`no node ${id}`);
    return node;
  }
}
