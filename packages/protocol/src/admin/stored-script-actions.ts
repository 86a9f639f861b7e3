/** Changes of stored scripts as messages: any node → elected cluster manager. */

import { readStoredScriptFields, type StoredScript } from '@shoal/cluster-state';
import type { ActionCodec } from '@shoal/transport';
import { type AcknowledgedMessage, acknowledgedAction, type TimeoutsMessage } from './manager-codec.ts';

/** The node that was asked has checked that the script compiles, where it could. */
export type PutStoredScriptMessage = TimeoutsMessage & StoredScript;

export interface DeleteStoredScriptsMessage extends TimeoutsMessage {
  readonly id: string;
}

export const PUT_STORED_SCRIPT: ActionCodec<PutStoredScriptMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/script/put',
  readStoredScriptFields,
);

export const DELETE_STORED_SCRIPTS: ActionCodec<DeleteStoredScriptsMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/script/delete',
  (r) => ({ id: r.string('id') }),
);
