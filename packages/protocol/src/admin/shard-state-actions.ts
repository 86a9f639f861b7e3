/**
 * Reports of data nodes on their copies, and exclusions from voting. Any node → cluster manager.
 */

import { assert, ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';
import { EMPTY_ANSWER, managerAction, plain, reader, type TimeoutsMessage } from './manager-codec.ts';

export interface ShardStartedMessage {
  readonly index: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly primaryTerm: number;
}

export interface ShardFailedMessage extends ShardStartedMessage {
  readonly markStale: boolean;
  readonly reason: string;
}

/** Sent for the primary that moves. */
export interface HandOverPrimaryMessage extends ShardStartedMessage {
  /** Allocation id of the copy that is to lead. */
  readonly target: string;
}

export interface AddVotingExclusionsMessage extends TimeoutsMessage {
  readonly nodeIds: readonly string[];
  readonly nodeNames: readonly string[];
}

export interface ClearVotingExclusionsMessage extends TimeoutsMessage {
  readonly waitForRemoval: boolean;
}

const SHARD_MAX = 1_023;
const EXCLUSIONS_MAX = 1_000;

export const SHARD_STARTED: ActionCodec<ShardStartedMessage, null> = {
  name: 'internal:cluster/shard/started',
  writeRequest: (message) => plain(checked(message)),
  readRequest: (body) => copy(reader(body)),
  ...EMPTY_ANSWER,
};

export const SHARD_FAILED: ActionCodec<ShardFailedMessage, null> = {
  name: 'internal:cluster/shard/failure',
  writeRequest: (message) => plain(checked(message)),
  readRequest: (body) => {
    const r = reader(body);
    return { ...copy(r), markStale: r.boolean('markStale'), reason: r.string('reason') };
  },
  ...EMPTY_ANSWER,
};

/** Is this copy the primary of this term: answered when a state that says so was committed after the question came. */
export const CONFIRM_PRIMARY: ActionCodec<ShardStartedMessage, null> = {
  name: 'internal:cluster/shard/confirm_primary',
  writeRequest: (message) => plain(checked(message)),
  readRequest: (body) => copy(reader(body)),
  ...EMPTY_ANSWER,
};

/** A primary on the move has stopped executing: its target is to lead. */
export const HAND_OVER_PRIMARY: ActionCodec<HandOverPrimaryMessage, null> = {
  name: 'internal:cluster/shard/hand_over_primary',
  writeRequest: (message) => plain(checked(message)),
  readRequest: (body) => {
    const r = reader(body);
    return { ...copy(r), target: r.string('target') };
  },
  ...EMPTY_ANSWER,
};

export const ADD_VOTING_EXCLUSIONS: ActionCodec<AddVotingExclusionsMessage, null> = managerAction(
  'cluster:admin/voting_config/add_exclusions',
  (r) => ({
    nodeIds: r.list('nodeIds', ValueReader.asString, EXCLUSIONS_MAX),
    nodeNames: r.list('nodeNames', ValueReader.asString, EXCLUSIONS_MAX),
  }),
  EMPTY_ANSWER,
);

export const CLEAR_VOTING_EXCLUSIONS: ActionCodec<ClearVotingExclusionsMessage, null> = managerAction(
  'cluster:admin/voting_config/clear_exclusions',
  (r) => ({ waitForRemoval: r.boolean('waitForRemoval') }),
  EMPTY_ANSWER,
);

/** The manager changes the routing by it: a report that names no copy, or no shard, is ours to find. */
function checked<M extends ShardStartedMessage>(message: M): M {
  const { index, shard, allocationId, primaryTerm } = message;
  assert(allocationId !== '', `a report on [${index}][${shard}] without an allocation id`);
  assert(shard >= 0 && shard <= SHARD_MAX, `a report on shard ${shard} of [${index}]`);
  assert(Number.isSafeInteger(primaryTerm) && primaryTerm >= 0, `a report under primary term ${primaryTerm}`);
  return message;
}

function copy(r: ValueReader): ShardStartedMessage {
  return {
    index: r.string('index'),
    shard: r.integer('shard', 0, SHARD_MAX),
    allocationId: r.string('allocationId'),
    primaryTerm: r.integer('primaryTerm', 0, Number.MAX_SAFE_INTEGER),
  };
}
