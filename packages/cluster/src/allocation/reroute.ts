/**
 * Assigns primaries that have no node: to the node that has their documents, or, when they are new, to the least loaded one.
 *
 * A primary that ever was started goes back only to a copy in its in-sync set, whatever else lies on disks: any other copy
 * may miss acknowledged writes. It keeps that copy's allocation id, so that a crash between the assignment and the start
 * leaves the set and the disk agreeing. Pure; ties are broken by node id, so that every run decides alike.
 */
import type { ClusterState, DiscoveryNode, ShardRouting, UnassignedInfo } from '@shoal/cluster-state';
import { clusterSettings } from '../reading/cluster-settings.ts';
import { isNeverStarted } from '../reading/resize-source.ts';
import type { AllocationContext } from './allocation-context.ts';
import { retryWaitMs } from './allocation-retry.ts';
import { CopyCounts } from './copy-counts.ts';
import { dataNodes, isAllowed, REPLICAS_UNASSIGNED } from './deciders.ts';
import { RoutingChanges } from './routing-changes.ts';

/** Shares of the weight of a node: its shards in all, and its shards of the same index. */
const SHARD_BALANCE = 0.45;
const INDEX_BALANCE = 0.55;

/** The state with every primary assigned that can be; the same state (===) when none can. */
export function reroute(state: ClusterState, context: AllocationContext): ClusterState {
  const changes = new RoutingChanges(state);
  const unassigned = [...changes.copies()].filter((copy) => copy.state === 'UNASSIGNED');
  if (unassigned.length === 0) return state;
  const nodes = dataNodes(state);
  const counts = new CopyCounts(changes.copies());
  for (const copy of unassigned) {
    const outcome = copy.isPrimary
      ? choosePrimary({ state, changes, counts, nodes, copy, context })
      : leave('deciders_no', REPLICAS_UNASSIGNED);
    const next = outcome.kind === 'assign' ? assigned(copy, outcome) : withStatus(copy, outcome);
    if (next === copy) continue;
    changes.replace(copy, next);
    counts.add(next);
    if (outcome.kind === 'assign' && !isFirstStart(copy)) changes.bumpPrimaryTerm(copy.index, copy.shard);
  }
  return changes.finish();
}

export type Choice =
  | { readonly kind: 'assign'; readonly nodeId: string; readonly allocationId: string }
  | {
      readonly kind: 'leave';
      readonly status: UnassignedInfo['allocationStatus'];
      /** Written into the copy's details when it has none. */
      readonly details: string | null;
    };

export interface ChoiceInput {
  readonly state: ClusterState;
  readonly changes: RoutingChanges;
  readonly counts: CopyCounts;
  readonly nodes: readonly DiscoveryNode[];
  readonly copy: ShardRouting;
  readonly context: AllocationContext;
}

export function choosePrimary(input: ChoiceInput): Choice {
  const { state, changes, copy, nodes, context } = input;
  const waitMs = retryWaitMs(state, copy, context.nowMs);
  if (waitMs !== null && waitMs > 0) return leave('deciders_throttled');
  if (isNeverStarted(copy)) {
    const node = lightest(input, nodes);
    return node === null
      ? leave(nodes.length === 0 ? 'no_attempt' : 'deciders_no')
      : { kind: 'assign', nodeId: node.id, allocationId: context.newAllocationId() };
  }
  const inSync = changes.index(copy.index).inSyncAllocations[copy.shard] ?? [];
  let isFetching = false;
  const holders: DiscoveryNode[] = [];
  for (const node of nodes) {
    const found = storeOn(input, node);
    if (found === undefined) isFetching = true;
    else if (found !== null && inSync.includes(found)) holders.push(node);
  }
  const node = lightest(input, holders);
  const allocationId = node === null ? null : storeOn(input, node);
  if (node !== null && typeof allocationId === 'string') return { kind: 'assign', nodeId: node.id, allocationId };
  if (holders.length > 0) return leave('deciders_no');
  return leave(isFetching ? 'fetching_shard_data' : 'no_valid_shard_copy');
}

/** Weight of a node for a copy of this index: lower is emptier. Averages are left out, being the same for all nodes. */
export function nodeWeight(counts: CopyCounts, copy: ShardRouting, nodeId: string): number {
  return SHARD_BALANCE * counts.onNode(nodeId) + INDEX_BALANCE * counts.ofIndex(nodeId, copy.indexUuid);
}

function lightest(input: ChoiceInput, candidates: readonly DiscoveryNode[]): DiscoveryNode | null {
  const { state, changes, counts, copy, context } = input;
  const settings = clusterSettings(state, context.nodeSettings);
  const shardCopies = changes.shardCopies(copy.index, copy.shard);
  let best: { readonly node: DiscoveryNode; readonly weight: number } | null = null;
  // Candidates come in the order of their ids: the first of equals wins.
  for (const node of candidates) {
    if (!isAllowed({ state, settings, counts, shardCopies, copy, node })) continue;
    const weight = nodeWeight(counts, copy, node.id);
    if (best === null || weight < best.weight) best = { node, weight };
  }
  return best?.node ?? null;
}

function storeOn({ copy, context }: ChoiceInput, node: DiscoveryNode): string | null | undefined {
  const { indexUuid, shard } = copy;
  return context.stores.find({ indexUuid, shard, nodeId: node.id, ephemeralId: node.ephemeralId });
}

/** A copy that was never given out and never failed: term 1 is its own already. */
function isFirstStart(copy: ShardRouting): boolean {
  const info = copy.unassigned;
  return isNeverStarted(copy) && info?.reason === 'INDEX_CREATED' && info.failedAllocations === 0;
}

function assigned(
  copy: ShardRouting,
  choice: { readonly nodeId: string; readonly allocationId: string },
): ShardRouting {
  return { ...copy, state: 'INITIALIZING', nodeId: choice.nodeId, allocationId: choice.allocationId };
}

function withStatus(copy: ShardRouting, choice: Choice): ShardRouting {
  const info = copy.unassigned;
  if (choice.kind !== 'leave' || info === null) return copy;
  const details = info.details ?? choice.details;
  if (info.allocationStatus === choice.status && info.details === details) return copy;
  return { ...copy, unassigned: { ...info, allocationStatus: choice.status, details } };
}

function leave(status: UnassignedInfo['allocationStatus'], details: string | null = null): Choice {
  return { kind: 'leave', status, details };
}
