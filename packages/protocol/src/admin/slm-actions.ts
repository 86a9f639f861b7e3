/** Changes of snapshot policies as messages: any node → elected cluster manager. */
import type { ActionCodec } from '@shoal/transport';
import { type AcknowledgedMessage, acknowledgedAction, type TimeoutsMessage } from './manager-codec.ts';

export interface PutSnapshotPolicyMessage extends TimeoutsMessage {
  readonly name: string;
  /** JSON object; the node that was asked has checked it. */
  readonly policy: string;
}

export interface DeleteSnapshotPolicyMessage extends TimeoutsMessage {
  readonly name: string;
}

export interface SetSnapshotPolicyModeMessage extends TimeoutsMessage {
  readonly isStopped: boolean;
}

export const PUT_SNAPSHOT_POLICY: ActionCodec<PutSnapshotPolicyMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/slm/put',
  (r) => ({ name: r.string('name'), policy: r.string('policy') }),
);

export const DELETE_SNAPSHOT_POLICY: ActionCodec<DeleteSnapshotPolicyMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/slm/delete',
  (r) => ({ name: r.string('name') }),
);

export const SET_SNAPSHOT_POLICY_MODE: ActionCodec<SetSnapshotPolicyModeMessage, AcknowledgedMessage> =
  acknowledgedAction('cluster:admin/slm/mode', (r) => ({ isStopped: r.boolean('isStopped') }));
