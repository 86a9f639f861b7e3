/**
 * Which copy of which shard a request means, as the sender's cluster state has it.
 */
import { assert, ValueReader } from '@shoal/core';

export interface ShardTarget {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  /** The receiver refuses when it holds another copy under this shard. */
  readonly allocationId: string;
  /** Version of the state that the request was routed by: a receiver with an older one waits for it. */
  readonly stateVersion: number;
}

/** Highest number of a shard. */
export const SHARD_NUMBER_MAX = 1023;

export function writeShardTarget(target: ShardTarget): Readonly<Record<string, unknown>> {
  const { index, shard, allocationId, stateVersion } = target;
  assert(shard >= 0 && shard <= SHARD_NUMBER_MAX, `shard ${shard} of [${index}] outside 0..${SHARD_NUMBER_MAX}`);
  assert(allocationId !== '', `request to a copy of [${index}][${shard}] without an allocation id`);
  assert(Number.isSafeInteger(stateVersion) && stateVersion >= 0, `routed by state version ${stateVersion}`);
  return {
    index: target.index,
    indexUuid: target.indexUuid,
    shard: target.shard,
    allocationId: target.allocationId,
    stateVersion: target.stateVersion,
  };
}

export function readShardTarget(value: unknown, field: string): ShardTarget {
  const r = ValueReader.of(value, field);
  return {
    index: r.string('index'),
    indexUuid: r.string('indexUuid'),
    shard: r.integer('shard', 0, SHARD_NUMBER_MAX),
    allocationId: r.string('allocationId'),
    stateVersion: r.integer('stateVersion', 0, Number.MAX_SAFE_INTEGER),
  };
}
