/**
 * A decider: may this copy be on that node, stay on it, leave it for a better one? Each says YES, NO or THROTTLE (not now) with a text
 * for `_cluster/allocation/explain`.
 *
 * The allocator and the explanation ask the same functions, so that what is explained is what was done. Texts are made only
 * for those who read them.
 */
import type { ClusterState, DiscoveryNode, ShardRouting } from '@shoal/cluster-state';
import type { DiskUsages, ShardStores } from '../rules/allocation-context.ts';
import type { AllocationRules } from '../rules/allocation-rules.ts';
import type { CopyCounts } from '../rules/copy-counts.ts';

export type Verdict = 'YES' | 'NO' | 'THROTTLE';

export interface Judgement {
  readonly verdict: Verdict;
  readonly text: () => string;
}

export interface ClusterInput {
  readonly rules: AllocationRules;
  /** Assigned copies, changes of the present round included. */
  readonly counts: CopyCounts;
}

export interface NodeInput extends ClusterInput {
  readonly disks: DiskUsages;
  readonly node: DiscoveryNode;
}

export interface CopyInput extends ClusterInput {
  readonly state: ClusterState;
  readonly stores: ShardStores;
  readonly disks: DiskUsages;
  /** Copies of the same shard as they stand, the primary first. */
  readonly shardCopies: readonly ShardRouting[];
  readonly copy: ShardRouting;
}

export interface DeciderInput extends CopyInput {
  readonly node: DiscoveryNode;
}

/** Questions that a decider leaves out it has no opinion on. */
export interface Decider {
  readonly name: string;
  /** May the copy, which is not on the node, be put there? */
  readonly canAllocate?: (input: DeciderInput) => Judgement;
  /**
   * May the started copy stay on the node, which is its own? Decided by the index and its copies, nodes, settings, and what `givesAway` says of
   * nodes: copies are not asked about again while all these are the same.
   */
  readonly canRemain?: (input: DeciderInput) => Judgement;
  /** True of a node that some copy has to leave, whichever it is. */
  readonly givesAway?: (input: NodeInput) => boolean;
  /** May the started copy move for the sake of the balance alone? */
  readonly canRebalance?: (input: CopyInput) => Judgement;
  /** May any copy move for the sake of the balance now? */
  readonly canRebalanceCluster?: (input: ClusterInput) => Judgement;
  /** Its NO also keeps a primary from the only nodes that have its documents. */
  readonly bindsExistingPrimaries?: true;
}

export function yes(text: () => string): Judgement {
  return { verdict: 'YES', text };
}

export function no(text: () => string): Judgement {
  return { verdict: 'NO', text };
}

export function throttle(text: () => string): Judgement {
  return { verdict: 'THROTTLE', text };
}
