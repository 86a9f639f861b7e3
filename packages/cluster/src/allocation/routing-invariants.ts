/**
 * Invariants of the routing of an index after every change: whoever reads it sends writes and searches by it.
 */

import { type IndexMetadata, type IndexRouting, type ShardRouting, sourceOf, targetOf } from '@shoal/cluster-state';
import { assert } from '@shoal/core';

/** @param before routing whose shards were checked: those that are still the same (===) are not checked again */
export function assertIndexRouting(index: IndexMetadata, routing: IndexRouting, before: IndexRouting): void {
  const { name, numberOfShards } = index;
  assert(routing.length === numberOfShards, `[${name}] has ${numberOfShards} shards and routing of ${routing.length}`);
  for (const [shard, copies] of routing.entries()) if (copies !== before[shard]) assertShard(index, shard, copies);
}

function assertShard(index: IndexMetadata, shard: number, copies: readonly ShardRouting[]): void {
  const name = `[${index.name}][${shard}]`;
  const [primary] = copies;
  assert(primary?.isPrimary === true, `the first copy of ${name} is not its primary`);
  assert(copies.findLastIndex((copy) => copy.isPrimary) === 0, `${name} has more than one primary`);
  const misplaced = copies.find((copy) => copy.indexUuid !== index.uuid || copy.shard !== shard);
  assert(misplaced === undefined, `${name} has a copy of ${misplaced?.indexUuid}[${misplaced?.shard}]`);
  const torn = copies.find((copy) => !isWhole(copy));
  assert(torn === undefined, `${name} has a copy that is ${torn?.state} at [${torn?.nodeId}] as ${torn?.allocationId}`);
  const ids = copies.flatMap((copy) => copy.allocationId ?? []);
  assert(new Set(ids).size === ids.length, `${name} has an allocation id twice: [${ids}]`);
  const inSync = index.inSyncAllocations[shard] ?? [];
  const behind = copies.find((copy) => copy.state === 'STARTED' && !inSync.includes(copy.allocationId ?? ''));
  assert(behind === undefined, `${behind?.allocationId} of ${name} is started and not in sync: [${inSync}]`);
  const nodes = copies.flatMap((copy) => copy.nodeId ?? []);
  assert(new Set(nodes).size === nodes.length, `${name} has two copies on one node: [${nodes}]`);
  const lone = copies.find((copy) => !isMoveWhole(copy, copies));
  assert(
    lone === undefined,
    `${name} has a copy on [${lone?.nodeId}] whose other end, on [${lone?.relocatingNodeId}], is none`,
  );
  const recovers = copies.some((copy) => copy.state === 'INITIALIZING' && copy.recoverySource === 'PEER');
  assert(
    !recovers || (primary.state !== 'UNASSIGNED' && primary.state !== 'INITIALIZING'),
    `a copy of ${name} recovers from a primary that is ${primary.state}`,
  );
}

/** A copy has a node and an allocation id exactly when it is assigned, and says why exactly when it is not started. */
function isWhole(copy: ShardRouting): boolean {
  const isAssigned = copy.state !== 'UNASSIGNED';
  return (
    (copy.nodeId !== null) === isAssigned &&
    (copy.allocationId !== null) === isAssigned &&
    (isAssigned || copy.unassigned !== null)
  );
}

/** Source and target of a move name each other; other copies name nobody. */
function isMoveWhole(copy: ShardRouting, copies: readonly ShardRouting[]): boolean {
  if (copy.state !== 'RELOCATING' && copy.relocatingNodeId === null) return true;
  const other = targetOf(copy, copies) ?? sourceOf(copy, copies);
  return other !== null && other.relocatingNodeId === copy.nodeId;
}
