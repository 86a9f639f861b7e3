/**
 * What a request gets that reached a node at the wrong moment: types and texts of Elasticsearch, on which coordinators
 * retry after a newer cluster state.
 */
import { isShoalError, ShoalError } from '@shoal/core';
import type { ShardTarget } from '@shoal/protocol';

function at(target: ShardTarget): { readonly metadata: Readonly<Record<string, string>> } {
  return { metadata: { index: target.index, shard: String(target.shard), index_uuid: target.indexUuid } };
}

/** 404: this node holds no copy of the shard. */
export function shardNotFound(target: ShardTarget): ShoalError {
  return new ShoalError('shard_not_found_exception', 404, 'no such shard', at(target));
}

/** 404: the copy here is another one than the sender's cluster state has. */
export function wrongAllocation(target: ShardTarget, found: string): ShoalError {
  const reason = `expected allocation id [${target.allocationId}] but found [${found}]`;
  return new ShoalError('shard_not_found_exception', 404, reason, at(target));
}

/** 404: the sender knows another primary term. */
export function wrongPrimaryTerm(target: ShardTarget, wanted: number, found: number): ShoalError {
  const reason = `expected allocation id [${target.allocationId}] with term [${wanted}] but found [${found}]`;
  return new ShoalError('shard_not_found_exception', 404, reason, at(target));
}

/** 404: the shard is on its way up or down. */
export function shardNotOpen(state: 'RECOVERING' | 'CLOSED'): ShoalError {
  const reason = `CurrentState[${state}] operations only allowed when shard state is one of [POST_RECOVERY, STARTED]`;
  return new ShoalError('illegal_index_shard_state_exception', 404, reason);
}

/** 503: a write to a copy that does not lead the shard. */
export function notInPrimaryMode(target: ShardTarget): ShoalError {
  return new ShoalError('shard_not_in_primary_mode_exception', 503, 'shard is not in primary mode', at(target));
}

/** 503: a write to a copy that is not primary, or not yet; nothing of it was done. */
export function notLeading(): ShoalError {
  return new ShoalError('shard_not_in_primary_mode_exception', 503, 'shard is not in primary mode');
}

/** 503: a write whose copy leads the shard no more; it may or may not take effect. */
export function leadsNoMore(): ShoalError {
  return new ShoalError('no_longer_primary_shard_exception', 503, 'the copy is primary no more');
}

/** 503: fewer copies are active here than the write wants; the sender looks at its own state again. */
export function tooFewCopies(active: number, wanted: number): ShoalError {
  const reason = `not enough active copies to meet shard count of [${wanted}] (have ${active}, needed ${wanted})`;
  return new ShoalError('shard_not_in_primary_mode_exception', 503, reason);
}

/** 503: the copy left this node before it answered. */
export function copyClosed(): ShoalError {
  return new ShoalError('already_closed_exception', 503, 'the copy was closed before it answered');
}

/** 500: a recovery asks for files, and no commit holds agreed operations alone. */
export function noSafeCommit(): ShoalError {
  return new ShoalError('illegal_state_exception', 500, 'there is no commit to recover from');
}

const NO_ROOM_TYPE = 'i_o_exception';

/** 503: the disk has no room for what opening a shard writes; it opens when there is some again. */
export function noRoomToOpen(cause: ShoalError): ShoalError {
  return new ShoalError(NO_ROOM_TYPE, 503, 'No space left on device', { causedBy: cause });
}

export function isNoRoomToOpen(error: unknown): boolean {
  return isShoalError(error) && error.type === NO_ROOM_TYPE;
}

/** 500: a shard took longer than its request waits. */
export function shardTooLate(nodeName: string, action: string, afterMs: number): ShoalError {
  const reason = `[${nodeName}][${action}] timed out after [${afterMs}ms]`;
  return new ShoalError('receive_timeout_transport_exception', 500, reason);
}
