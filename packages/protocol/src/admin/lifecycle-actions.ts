/** Changes of lifecycle policies as messages: any node → elected cluster manager. */
import type { ActionCodec } from '@shoal/transport';
import {
  type AcknowledgedMessage,
  acknowledgement,
  plain,
  reader,
  type TimeoutsMessage,
  timeouts,
} from './manager-actions.ts';

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

export const PUT_LIFECYCLE_POLICY: ActionCodec<PutLifecyclePolicyMessage, AcknowledgedMessage> = {
  name: 'cluster:admin/ilm/put',
  writeRequest: plain,
  readRequest: (body) => {
    const r = reader(body);
    return { ...timeouts(r), name: r.string('name'), policy: r.string('policy') };
  },
  ...acknowledgement(),
};

export const DELETE_LIFECYCLE_POLICY: ActionCodec<DeleteLifecyclePolicyMessage, AcknowledgedMessage> = {
  name: 'cluster:admin/ilm/delete',
  writeRequest: plain,
  readRequest: (body) => {
    const r = reader(body);
    return { ...timeouts(r), name: r.string('name') };
  },
  ...acknowledgement(),
};

export const SET_LIFECYCLE_MODE: ActionCodec<SetLifecycleModeMessage, AcknowledgedMessage> = {
  name: 'cluster:admin/ilm/mode',
  writeRequest: plain,
  readRequest: (body) => {
    const r = reader(body);
    return { ...timeouts(r), isStopped: r.boolean('isStopped') };
  },
  ...acknowledgement(),
};
