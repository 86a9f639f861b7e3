/** Changes of stored scripts as messages: any node → elected cluster manager. */
import type { ActionCodec } from '@shoal/transport';
import { readStoredScript, type StoredScript } from '../state/stored-scripts.ts';
import {
  type AcknowledgedMessage,
  acknowledgement,
  plain,
  reader,
  type TimeoutsMessage,
  timeouts,
} from './manager-actions.ts';

/** The node that was asked has checked that the script compiles, where it could. */
export type PutStoredScriptMessage = TimeoutsMessage & StoredScript;

export interface DeleteStoredScriptsMessage extends TimeoutsMessage {
  readonly id: string;
}

export const PUT_STORED_SCRIPT: ActionCodec<PutStoredScriptMessage, AcknowledgedMessage> = {
  name: 'cluster:admin/script/put',
  writeRequest: plain,
  readRequest: (body) => {
    const r = reader(body);
    return { ...timeouts(r), ...readStoredScript(body.message, 'script') };
  },
  ...acknowledgement(),
};

export const DELETE_STORED_SCRIPTS: ActionCodec<DeleteStoredScriptsMessage, AcknowledgedMessage> = {
  name: 'cluster:admin/script/delete',
  writeRequest: plain,
  readRequest: (body) => {
    const r = reader(body);
    return { ...timeouts(r), id: r.string('id') };
  },
  ...acknowledgement(),
};
