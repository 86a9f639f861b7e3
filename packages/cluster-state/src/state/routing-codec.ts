/** Routing of one index, its shards and their copies, on the wire and on disk. */
import { assert, type ItemReader, ValueReader } from '@shoal/core';
import type { ShardRouting, UnassignedInfo } from './cluster-state.ts';
import { SHARDS_PER_INDEX_MAX } from './index-metadata-codec.ts';

/** Copies of an index by shard number, the primary first. */
export type IndexRouting = readonly (readonly ShardRouting[])[];

/** Each copy may be on the move. */
const COPIES_MAX = 2 * 1_001;
const FAILURES_MAX = 1_000_000;

export function writeIndexRouting(routing: IndexRouting): unknown {
  for (const [shard, copies] of routing.entries()) assertShard(shard, copies);
  return routing.map((copies) =>
    copies.map((copy) => ({ ...copy, unassigned: copy.unassigned === null ? null : { ...copy.unassigned } })),
  );
}

/** One primary a shard, first of its copies, and no allocation id twice: whoever reads it routes writes by it. */
function assertShard(shard: number, copies: readonly ShardRouting[]): void {
  const [first] = copies;
  const name = `[${first?.index}][${shard}]`;
  assert(copies.length > 0 && copies.length <= COPIES_MAX, `${name} has ${copies.length} copies`);
  assert(copies.findLastIndex((copy) => copy.isPrimary) === 0, `${name} has not one primary, first of its copies`);
  assert(
    copies.every((copy) => copy.shard === shard),
    `${name} has copies of another shard`,
  );
  const ids = copies.flatMap((copy) => copy.allocationId ?? []);
  assert(new Set(ids).size === ids.length, `${name} has an allocation id twice: [${ids}]`);
}

export const readIndexRouting: ItemReader<IndexRouting> = (value, field) =>
  new ValueReader({ shards: value }, field).list('shards', readShard, SHARDS_PER_INDEX_MAX);

const readShard: ItemReader<readonly ShardRouting[]> = (value, field) =>
  new ValueReader({ copies: value }, field).list('copies', readCopy, COPIES_MAX);

const readCopy: ItemReader<ShardRouting> = (value, field) => {
  const r = ValueReader.of(value, field);
  const copy: ShardRouting = {
    index: r.string('index'),
    indexUuid: r.string('indexUuid'),
    shard: r.integer('shard', 0, SHARDS_PER_INDEX_MAX - 1),
    isPrimary: r.boolean('isPrimary'),
    state: r.oneOf('state', ['UNASSIGNED', 'INITIALIZING', 'STARTED', 'RELOCATING']),
    nodeId: r.optionalString('nodeId'),
    relocatingNodeId: r.optionalString('relocatingNodeId'),
    allocationId: r.optionalString('allocationId'),
    recoverySource: r.oneOf('recoverySource', ['EMPTY_STORE', 'EXISTING_STORE', 'LOCAL_SHARDS', 'SNAPSHOT', 'PEER']),
    unassigned: r.optional('unassigned', readUnassigned),
    ...(r.has('isForced') && r.boolean('isForced') ? { isForced: true as const } : {}),
    ...(r.has('isReturning') && r.boolean('isReturning') ? { isReturning: true as const } : {}),
    ...(r.has('failedRelocations') ? { failedRelocations: r.integer('failedRelocations', 1, FAILURES_MAX) } : {}),
  };
  const isAssigned = copy.state !== 'UNASSIGNED';
  if (isAssigned !== (copy.nodeId !== null)) r.refuse('nodeId', `a node exactly when assigned (${copy.state})`);
  if (isAssigned !== (copy.allocationId !== null)) r.refuse('allocationId', `an id exactly when assigned`);
  return copy;
};

const readUnassigned: ItemReader<UnassignedInfo> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    reason: r.oneOf('reason', [
      'INDEX_CREATED',
      'CLUSTER_RECOVERED',
      'NODE_LEFT',
      'ALLOCATION_FAILED',
      'PRIMARY_FAILED',
      'REPLICA_ADDED',
      'INDEX_REOPENED',
      'INDEX_CLOSED',
      'NEW_INDEX_RESTORED',
      'EXISTING_INDEX_RESTORED',
      'FORCED_EMPTY_PRIMARY',
      'REROUTE_CANCELLED',
    ]),
    atMs: r.integer('atMs', 0, Number.MAX_SAFE_INTEGER),
    failedAllocations: r.integer('failedAllocations', 0, FAILURES_MAX),
    details: r.optionalString('details'),
    allocationStatus: r.oneOf('allocationStatus', [
      'no_attempt',
      'no_valid_shard_copy',
      'deciders_no',
      'fetching_shard_data',
      'deciders_throttled',
      'delayed_allocation',
    ]),
    lastNodeId: r.optionalString('lastNodeId'),
    ...(r.has('lastNodeName') ? { lastNodeName: r.string('lastNodeName') } : {}),
  };
};
