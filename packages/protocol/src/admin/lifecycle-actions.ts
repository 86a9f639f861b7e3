/** Changes of lifecycle policies as messages: any node → elected cluster manager. */
import type { ActionCodec } from '@shoal/transport';
import { type AcknowledgedMessage, acknowledgedAction, type TimeoutsMessage } from './manager-codec.ts';

export interface PutLifecyclePolicyMessage extends TimeoutsMessage {
  readonly name: string;
  /** JSON object; the node that was asked has checked it. */
  readonly policy: string;
}

export interface DeleteLifecyclePolicyMessage extends TimeoutsMessage {
  readonly name: string;
}

export interface SetLifecycleModeMessage extends TimeoutsMessage {
  readonly isStopped: boolean;
}

export const PUT_LIFECYCLE_POLICY: ActionCodec<PutLifecyclePolicyMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/ilm/put',
  (r) => ({ name: r.string('name'), policy: r.string('policy') }),
);

export const DELETE_LIFECYCLE_POLICY: ActionCodec<DeleteLifecyclePolicyMessage, AcknowledgedMessage> =
  acknowledgedAction('cluster:admin/ilm/delete', (r) => ({ name: r.string('name') }));

export const SET_LIFECYCLE_MODE: ActionCodec<SetLifecycleModeMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/ilm/mode',
  (r) => ({ isStopped: r.boolean('isStopped') }),
);
