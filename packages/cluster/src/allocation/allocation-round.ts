/**
 * One round of allocation: what its decisions share, read from the state once and kept in step with what was assigned.
 */
import type { ClusterState, DiscoveryNode, ShardRouting } from '@shoal/cluster-state';
import { clusterSettings } from '../reading/cluster-settings.ts';
import type { AllocationContext } from './allocation-context.ts';
import { AllocationRules } from './allocation-rules.ts';
import { CopyCounts } from './copy-counts.ts';
import { type DeciderInput, dataNodes, type Verdict, verdictOf } from './deciders.ts';
import { RoutingChanges } from './routing-changes.ts';

/** Shares of the weight of a node: its shards in all, and its shards of the same index. */
const SHARD_BALANCE = 0.45;
const INDEX_BALANCE = 0.55;

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
  /** Data nodes, in the order of their ids. */
  readonly nodes: readonly DiscoveryNode[];
  readonly #counts: CopyCounts;
  readonly #rules: AllocationRules;
  /** Nodes to which another recovery may run now. */
  #receivers: number;

  constructor(state: ClusterState, context: AllocationContext) {
    this.state = state;
    this.context = context;
    this.changes = new RoutingChanges(state);
    this.nodes = dataNodes(state);
    this.#counts = new CopyCounts(this.changes.shards());
    this.#rules = new AllocationRules(state, clusterSettings(state, context.nodeSettings));
    this.#receivers = this.#countReceivers();
  }

  assign(old: ShardRouting, assigned: ShardRouting): void {
    this.changes.replace(old, assigned);
    this.#counts.add(assigned, this.changes.shardCopies(assigned.index, assigned.shard)[0]);
    if (assigned.recoverySource === 'PEER') this.#receivers = this.#countReceivers();
  }

  /** False: recoveries that run now keep the replica from every node. Cheap, for thousands that wait while a few recover. */
  mayRecover(copy: ShardRouting): boolean {
    const source = this.changes.shardCopies(copy.index, copy.shard)[0]?.nodeId ?? '';
    return this.#receivers > 0 && this.#counts.outgoingRecoveries(source) < this.#rules.outgoingRecoveries.value;
  }

  input(copy: ShardRouting, node: DiscoveryNode): DeciderInput {
    return {
      state: this.state,
      rules: this.#rules,
      counts: this.#counts,
      shardCopies: this.changes.shardCopies(copy.index, copy.shard),
      copy,
      node,
    };
  }

  verdict(copy: ShardRouting, node: DiscoveryNode): Verdict {
    return verdictOf(this.input(copy, node));
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
    const own = copy.nodeId === nodeId ? 1 : 0;
    const onNode = this.#counts.onNode(nodeId) - own;
    return SHARD_BALANCE * onNode + INDEX_BALANCE * (this.#counts.ofIndex(nodeId, copy.indexUuid) - own);
  }

  #countReceivers(): number {
    const { value } = this.#rules.incomingRecoveries;
    return this.nodes.filter(({ id }) => this.#counts.incomingRecoveries(id) < value).length;
  }
}
