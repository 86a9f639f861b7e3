/** What became of the snapshots of policies, as messages: any node → elected cluster manager. */

import { type PolicySnapshot, readPolicySnapshot, SNAPSHOT_POLICY_LIMITS } from '@shoal/cluster-state';
import { type ItemReader, ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';
import { type AcknowledgedMessage, acknowledgedAction, type TimeoutsMessage } from './manager-codec.ts';

export interface RecordPolicySnapshotMessage extends TimeoutsMessage {
  readonly policy: string;
  readonly snapshot: PolicySnapshot;
}

/** Snapshots of one policy that a run deleted, or could not delete. */
export interface RetainedPolicy {
  readonly policy: string;
  readonly deleted: number;
  readonly failures: number;
}

export interface RecordRetentionMessage extends TimeoutsMessage {
  readonly policies: readonly RetainedPolicy[];
  readonly tookMs: number;
}

const COUNT_MAX = Number.MAX_SAFE_INTEGER;

export const RECORD_POLICY_SNAPSHOT: ActionCodec<RecordPolicySnapshotMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/slm/record',
  (r) => ({ policy: r.string('policy'), snapshot: readPolicySnapshot(r.raw('snapshot'), 'snapshot') }),
);

export const RECORD_RETENTION: ActionCodec<RecordRetentionMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/slm/record_retention',
  (r) => ({
    policies: r.list('policies', readRetained, SNAPSHOT_POLICY_LIMITS.policiesMax),
    tookMs: r.integer('tookMs', 0, COUNT_MAX),
  }),
);

const readRetained: ItemReader<RetainedPolicy> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    policy: r.string('policy'),
    deleted: r.integer('deleted', 0, COUNT_MAX),
    failures: r.integer('failures', 0, COUNT_MAX),
  };
};
