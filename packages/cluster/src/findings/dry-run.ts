/**
 * What the cluster would be after a mend: computed on the present state by the functions that the cluster manager runs, and sent to nobody.
 *
 * Copies that get a node are taken to start, and a node that is started is taken to have the copies that it had: what a disk or
 * a network does to that, no dry run can know.
 */

import {
  type ClusterState,
  type DiscoveryNode,
  isRelocationTarget,
  type ShardRouting,
  sourceOf,
  withEntries,
} from '@shoal/cluster-state';
import { assert, SHOAL_VERSION, unreachable } from '@shoal/core';
import { waitsOfCopies } from '../allocation/allocation-delay.ts';
import { reroute } from '../allocation/reroute.ts';
import type { RerouteCommand } from '../allocation/reroute-command.ts';
import { applyRerouteCommands } from '../allocation/reroute-commands.ts';
import type { ShardStores } from '../allocation/rules/allocation-context.ts';
import { applyShardStarted, handOverPrimary, resetFailedAllocations } from '../allocation/shard-transitions.ts';
import type { Mend, PrimariesMend } from '../mends/mend.ts';
import { deleteIndices } from '../metadata/delete-index.ts';
import type { MetadataContext } from '../metadata/metadata-context.ts';
import { updateClusterSettings } from '../settings/update-cluster-settings.ts';
import { updateIndexSettings } from '../settings/update-index-settings.ts';
import { withNodes } from '../value/cluster-value-model.ts';

/** Rounds of copies that start and of others that follow them. */
const ROUNDS_MAX = 1_000;

/** The state after these mends, when all has started that would. Throws what a change would be refused with. */
export function stateAfter(state: ClusterState, mends: readonly Mend[], context: MetadataContext): ClusterState {
  let next = state;
  let known = { ...context, stores: withHeld(context.stores, state) };
  for (const mend of mends) {
    if (mend.kind === 'startNode') known = { ...known, stores: withReturned(known.stores, mend.node.id, next) };
    if (mend.kind === 'addNode') known = { ...known, stores: withReturned(known.stores, NEW_NODE, next) };
    next = applied(next, mend, known);
  }
  return settled(
    next,
    known,
    mends.some(({ kind }) => kind === 'wait'),
  );
}

/** Filters that a node must match to pass. */
const NODE_FILTER = /^index\.routing\.allocation\.(include|require)\./;
/** Id of the node that a dry run adds. */
const NEW_NODE = 'new-node';

function applied(state: ClusterState, mend: Mend, context: MetadataContext): ClusterState {
  switch (mend.kind) {
    case 'indexSettings': {
      const { index, settings } = mend;
      return updateIndexSettings(state, { indices: [index], settings, preserveExisting: false }, context);
    }
    case 'clusterSettings':
      return updateClusterSettings(state, mend, context);
    case 'retryFailed':
      return reroute(resetFailedAllocations(state), context);
    case 'allocatePrimaries':
      return applyRerouteCommands(state, commandsOf(mend), false, context).state;
    case 'deleteIndex':
      return deleteIndices(state, [mend.index], context);
    case 'startNode':
      return joined(withoutNodeFilters(state, mend.node.id), nodeOf(mend.node.id), context);
    case 'addNode':
      return joined(state, { ...nodeOf(NEW_NODE), attributes: mend.attributes }, context);
    case 'findSnapshot':
    case 'wait':
    case 'atNode':
      return state;
    default:
      return unreachable(mend);
  }
}

function commandsOf({ from, index, places }: PrimariesMend): readonly RerouteCommand[] {
  return places.map((place) => ({ kind: `allocate_${from}_primary`, index, ...place, acceptDataLoss: true }));
}

function joined(state: ClusterState, node: DiscoveryNode, context: MetadataContext): ClusterState {
  return withNodes(state, { joined: [node], left: [], newManager: null }, context);
}

function nodeOf(id: string): DiscoveryNode {
  return {
    id,
    ephemeralId: `${id}-dry-run`,
    name: id,
    version: SHOAL_VERSION,
    roles: ['cluster_manager', 'data'],
    address: { host: 'dry-run', port: 0 },
    httpAddress: null,
    attributes: {},
  };
}

/** What a node that left was called may not be known any more, nor its attributes: it passes the filters of the indices whose copies it had, as it did then. */
function withoutNodeFilters(state: ClusterState, nodeId: string): ClusterState {
  const held = [...state.routing.indices.values()]
    .flat(2)
    .filter(({ unassigned }) => unassigned?.lastNodeId === nodeId);
  const changed = [...new Set(held.map(({ index }) => index))].flatMap((name) => {
    const index = state.metadata.indices.get(name);
    if (index === undefined) return [];
    const settings = Object.fromEntries(Object.entries(index.settings).filter(([key]) => !NODE_FILTER.test(key)));
    return [[name, { ...index, settings }] as const];
  });
  return { ...state, metadata: { ...state.metadata, indices: withEntries(state.metadata.indices, changed) } };
}

/** Copies that serve now lie where they are: nodes are asked for those without a node alone, and a mend may take theirs from others. */
function withHeld(stores: ShardStores, state: ClusterState): ShardStores {
  const serving = [...state.routing.indices.values()].flat(2).filter(({ state: now }) => now === 'STARTED');
  const held = new Map(serving.map((copy) => [placeOf(copy.indexUuid, copy.shard, copy.nodeId), copy.allocationId]));
  return { find: (at) => held.get(placeOf(at.indexUuid, at.shard, at.nodeId)) ?? stores.find(at) };
}

function placeOf(indexUuid: string, shard: number, nodeId: string | null): string {
  return `${indexUuid}/${shard}/${nodeId}`;
}

/** The node has a copy in sync of every shard whose copy it was the last to hold; a new one has none. */
function withReturned(stores: ShardStores, nodeId: string, state: ClusterState): ShardStores {
  const held = new Map<string, string | null>();
  for (const copies of [...state.routing.indices.values()].flat()) {
    const taken = copies.map(({ allocationId }) => allocationId);
    for (const { index, indexUuid, shard, unassigned } of copies) {
      if (unassigned?.lastNodeId !== nodeId) continue;
      const inSync = state.metadata.indices.get(index)?.inSyncAllocations[shard] ?? [];
      held.set(`${indexUuid}/${shard}`, inSync.find((id) => !taken.includes(id)) ?? null);
    }
  }
  return {
    find: (at) => (at.nodeId === nodeId ? (held.get(`${at.indexUuid}/${at.shard}`) ?? null) : stores.find(at)),
  };
}

/** Copies that start are started, others take their turn; with `waits` also what a delay or a pause holds back. */
function settled(state: ClusterState, context: MetadataContext, waits: boolean): ClusterState {
  let next = reroute(state, context);
  let { nowMs } = context;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const starting = [...next.routing.indices.values()].flat(2).filter((copy) => copy.state === 'INITIALIZING');
    const waitMs = starting.length === 0 && waits ? nextWaitMs(next, nowMs) : null;
    if (starting.length === 0 && waitMs === null) return next;
    nowMs += waitMs ?? 0;
    for (const copy of starting) next = copyStarted(next, copy, { ...context, nowMs });
    next = reroute(next, { ...context, nowMs });
  }
  return next;
}

/** Time until the first copy that waits may be assigned; null when none waits. */
export function nextWaitMs(state: ClusterState, nowMs: number): number | null {
  const waits = [...waitsOfCopies(state, nowMs).values()].filter((ms) => ms > 0);
  return waits.length === 0 ? null : Math.min(...waits);
}

/** The state when a copy has all that it starts with: it serves, or takes the place of the copy that it moves. */
export function copyStarted(state: ClusterState, copy: ShardRouting, context: MetadataContext): ClusterState {
  const { index, shard, allocationId } = copy;
  assert(allocationId !== null, `a copy of [${index}][${shard}] starts without an allocation id`);
  const primaryTerm = state.metadata.indices.get(index)?.primaryTerms[shard] ?? 0;
  const at = { index, shard, allocationId, primaryTerm };
  const source = isRelocationTarget(copy) ? sourceOf(copy, state.routing.indices.get(index)?.[shard] ?? []) : null;
  if (source?.isPrimary !== true || source.allocationId === null) return applyShardStarted(state, at);
  return handOverPrimary(state, { ...at, allocationId: source.allocationId, target: allocationId }, context);
}
