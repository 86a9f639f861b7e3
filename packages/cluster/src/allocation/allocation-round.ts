/**
 * One round of allocation: what its decisions share, read from the state once and kept in step with what was assigned.
 */
import type { ClusterState, DiscoveryNode, ShardRouting } from '@shoal/cluster-state';
import { type ClusterSettings, clusterSettings } from '../reading/cluster-settings.ts';
import { dataNodes } from '../reading/data-nodes.ts';
import { CopyIndex, type FollowedCopies } from './copies/copy-index.ts';
import type { CopyInput, DeciderInput, NodeInput, Verdict } from './deciders/decider.ts';
import {
  existingPrimaryVerdict,
  givesAway,
  mayRebalanceCluster,
  rebalanceVerdict,
  verdictOf,
} from './deciders/deciders.ts';
import { moveRefusal, startRelocation } from './relocation.ts';
import { RoutingChanges } from './routing-changes.ts';
import type { AllocationContext, ShardStores } from './rules/allocation-context.ts';
import { AllocationRules } from './rules/allocation-rules.ts';
import { type AlikeIndices, CopyCounts } from './rules/copy-counts.ts';
import { isReturningTo } from './rules/returning-copy.ts';

export interface Lightest {
  /** null: no node may have the copy now. */
  readonly node: DiscoveryNode | null;
  /** Whether one may have it later, when recoveries that run now are over. */
  readonly isThrottled: boolean;
}

export class AllocationRound {
  readonly state: ClusterState;
  readonly context: AllocationContext;
  readonly changes: RoutingChanges;
  /** Cluster settings in force on the cluster manager. */
  readonly settings: ClusterSettings;
  /** Data nodes, in the order of their ids. */
  readonly nodes: readonly DiscoveryNode[];
  /** Copies as they were before the round. */
  readonly copies: FollowedCopies;
  readonly #counts: CopyCounts;
  readonly #rules: AllocationRules;
  /** Nodes to which another recovery may run now. */
  #receivers: number;
  /** Nodes to which another copy may return now. */
  #returns: readonly DiscoveryNode[];

  /** @param index followed to the state: one that others follow too is for rounds that end before anything else happens */
  constructor(state: ClusterState, context: AllocationContext, index: CopyIndex = new CopyIndex()) {
    this.state = state;
    this.context = context;
    this.changes = new RoutingChanges(state);
    this.nodes = dataNodes(state);
    this.copies = index.follow(state);
    this.#counts = new CopyCounts(this.copies, (name) => state.routing.indices.get(name) ?? []);
    this.settings = clusterSettings(state, context.nodeSettings);
    this.#rules = new AllocationRules(state, this.settings);
    this.#receivers = this.#countReceivers();
    this.#returns = this.#takersOfReturns();
  }

  assign(old: ShardRouting, assigned: ShardRouting): void {
    this.changes.replace(old, assigned);
    this.#counts.addAssigned(assigned, this.changes.shardCopies(assigned.index, assigned.shard)[0]);
    if (assigned.isReturning === true) this.#returns = this.#takersOfReturns();
    else if (assigned.recoverySource === 'PEER') this.#receivers = this.#countReceivers();
  }

  /** False: recoveries that run now keep the replica from every node. Cheap, for thousands that wait while a few recover. */
  mayRecover(copy: ShardRouting): boolean {
    if (this.#returns.some((node) => isReturningTo(this.#known, copy, node))) return true;
    const source = this.changes.shardCopies(copy.index, copy.shard)[0]?.nodeId ?? '';
    return this.#receivers > 0 && this.#counts.outgoingRecoveries(source) < this.#rules.outgoingRecoveries.value;
  }

  /** Whether the replica recovers on that node from what is in sync there. */
  isReturning(copy: ShardRouting, nodeId: string): boolean {
    const node = this.state.nodes.get(nodeId);
    return node !== undefined && isReturningTo(this.#known, copy, node);
  }

  /** Begins the move of a started copy to a node that may have it. */
  move(copy: ShardRouting, node: DiscoveryNode): void {
    const allocationId = this.context.newAllocationId();
    const { source, target } = startRelocation(this.changes, copy, { nodeId: node.id, allocationId });
    this.#counts.addMove(source, target, this.changes.shardCopies(copy.index, copy.shard)[0]);
    this.#receivers = this.#countReceivers();
  }

  /** Why the copy cannot move at all now, wherever to; null: it can. */
  moveRefusal(copy: ShardRouting): string | null {
    return moveRefusal(this.changes, copy);
  }

  copyInput(copy: ShardRouting): CopyInput {
    return {
      state: this.state,
      rules: this.#rules,
      counts: this.#counts,
      stores: this.context.stores,
      disks: this.context.disks,
      shardCopies: this.changes.shardCopies(copy.index, copy.shard),
      copy,
    };
  }

  input(copy: ShardRouting, node: DiscoveryNode): DeciderInput {
    // Written out: this is made for every copy and node.
    return {
      state: this.state,
      rules: this.#rules,
      counts: this.#counts,
      stores: this.context.stores,
      disks: this.context.disks,
      shardCopies: this.changes.shardCopies(copy.index, copy.shard),
      copy,
      node,
    };
  }

  verdict(copy: ShardRouting, node: DiscoveryNode): Verdict {
    return verdictOf('canAllocate', this.input(copy, node));
  }

  /** Verdict on a node that has the documents of a primary, where none that has them may have it by all rules. */
  existingPrimaryVerdict(copy: ShardRouting, node: DiscoveryNode): Verdict {
    return existingPrimaryVerdict(this.input(copy, node));
  }

  /** Whether a started copy may stay on its node. */
  mayRemain(copy: ShardRouting): boolean {
    const node = copy.nodeId === null ? undefined : this.state.nodes.get(copy.nodeId);
    return node === undefined || verdictOf('canRemain', this.input(copy, node)) !== 'NO';
  }

  /** All that `mayRemain` depends on beside an index and its copies. */
  remainInputs(): readonly unknown[] {
    const { nodes, metadata } = this.state;
    const { nodeSettings } = this.context;
    const full = this.nodes.filter((node) => givesAway(this.#nodeInput(node))).map(({ id }) => id);
    return [nodes, metadata.persistentSettings, metadata.transientSettings, nodeSettings, full.join()];
  }

  rebalanceVerdict(copy: ShardRouting): Verdict {
    return rebalanceVerdict(this.copyInput(copy));
  }

  /** Whether the cluster as a whole lets copies move for the balance now. */
  mayRebalance(): boolean {
    return mayRebalanceCluster({ rules: this.#rules, counts: this.#counts });
  }

  /** Difference of weights from which on a copy moves. */
  get balanceThreshold(): number {
    return this.#rules.balance.threshold;
  }

  /** False: filters keep the index from the node. */
  passesFilters(index: string, node: DiscoveryNode): boolean {
    return this.#rules.failedFilter(index, node) === null;
  }

  /** Allocation id of the copy on the node's disk; null when it has none; undefined when it was not asked yet. */
  storeOn({ indexUuid, shard }: ShardRouting, { id, ephemeralId }: DiscoveryNode): string | null | undefined {
    return this.context.stores.find({ indexUuid, shard, nodeId: id, ephemeralId });
  }

  /** The emptiest of the candidates that may have the copy; the first of equals. */
  lightest(copy: ShardRouting, candidates: readonly DiscoveryNode[]): Lightest {
    let best: { readonly node: DiscoveryNode; readonly weight: number } | null = null;
    let isThrottled = false;
    for (const node of candidates) {
      const verdict = this.verdict(copy, node);
      if (verdict === 'THROTTLE') isThrottled = true;
      if (verdict !== 'YES') continue;
      const weight = this.weight(copy, node.id);
      if (best === null || weight < best.weight) best = { node, weight };
    }
    return { node: best?.node ?? null, isThrottled };
  }

  /** Weight of a node without the copy: lower is emptier. Averages are left out, being the same for all nodes. */
  weight(copy: ShardRouting, nodeId: string): number {
    // Both shares of a copy are 1 together.
    return this.indexWeight(copy.index, nodeId) - (copy.nodeId === nodeId ? 1 : 0);
  }

  /** Weight of a node for an index, with all copies that it has. */
  indexWeight(name: string, nodeId: string): number {
    const { shard, index } = this.#rules.balance;
    return shard * this.#counts.onNode(nodeId) + index * this.#counts.ofIndex(nodeId, name);
  }

  /** Indices by how their copies are spread over the nodes. */
  alikeIndices(): Iterable<AlikeIndices> {
    return this.#counts.alike();
  }

  #nodeInput(node: DiscoveryNode): NodeInput {
    return { rules: this.#rules, counts: this.#counts, disks: this.context.disks, node };
  }

  get #known(): { readonly state: ClusterState; readonly stores: ShardStores } {
    return { state: this.state, stores: this.context.stores };
  }

  #takersOfReturns(): readonly DiscoveryNode[] {
    return this.nodes.filter(({ id }) => this.#counts.returningRecoveries(id) < this.#rules.returningRecoveriesMax);
  }

  #countReceivers(): number {
    const { value } = this.#rules.incomingRecoveries;
    return this.nodes.filter(({ id }) => this.#counts.incomingRecoveries(id) < value).length;
  }
}
