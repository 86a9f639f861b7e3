/**
 * What a write says of the copy that it was routed to: executed where that is so no more, it would belong to no history.
 */
import { ShoalError } from '@shoal/core';
import type { ShardId } from '@shoal/shard-api';

export interface PrimaryClaim {
  readonly allocationId: string;
  readonly primaryTerm: number;
}

function metadataOf({ index, indexUuid, number }: ShardId): { readonly metadata: Readonly<Record<string, string>> } {
  return { metadata: { index, shard: String(number), index_uuid: indexUuid } };
}

/** 404: the sender knows another copy, or another term of it; a newer cluster state has the right one. */
export function otherPrimary(shard: ShardId, claimed: PrimaryClaim, found: PrimaryClaim): ShoalError {
  const isSameCopy = claimed.allocationId === found.allocationId;
  const reason = isSameCopy
    ? `expected allocation id [${claimed.allocationId}] with term [${claimed.primaryTerm}] but found [${found.primaryTerm}]`
    : `expected allocation id [${claimed.allocationId}] but found [${found.allocationId}]`;
  return new ShoalError('shard_not_found_exception', 404, reason, metadataOf(shard));
}

/** 503: a write to a copy that follows another one. */
export function followsPrimary(shard: ShardId): ShoalError {
  return new ShoalError('shard_not_in_primary_mode_exception', 503, 'shard is not in primary mode', metadataOf(shard));
}

/** 500: an operation of a primary that is one no more. */
export function termTooOld(shard: ShardId, term: number, current: number): ShoalError {
  const reason = `[${shard.index}][${shard.number}] operation primary term [${term}] is too old (current [${current}])`;
  return new ShoalError('illegal_state_exception', 500, reason, metadataOf(shard));
}

/** 500: an operation of another primary of the same term. */
export function leadsItself(shard: ShardId, term: number): ShoalError {
  const reason = `[${shard.index}][${shard.number}] is the primary of term [${term}] and follows none`;
  return new ShoalError('illegal_state_exception', 500, reason, metadataOf(shard));
}
