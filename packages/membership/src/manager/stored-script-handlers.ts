/**
 * What the elected cluster manager does when a node asks it to change stored scripts.
 */
import { deleteStoredScripts, putStoredScript } from '@shoal/cluster';
import { DELETE_STORED_SCRIPTS, PUT_STORED_SCRIPT } from '@shoal/protocol';
import { handleWith, type Transport } from '@shoal/transport';
import { change, guarded, type ManagerHandlersHost } from './manager-change.ts';
import { TASK_PRIORITY } from './manager-task-queue.ts';

export function registerStoredScriptHandlers(transport: Transport, host: ManagerHandlersHost): void {
  handleWith(transport, PUT_STORED_SCRIPT, (message) =>
    change(host, {
      checkBlocks: guarded('cluster:admin/script/put', message),
      source: `put-script-${message.id}`,
      priority: TASK_PRIORITY.normal,
      timeouts: message,
      update: (state) => putStoredScript(state, message),
    }),
  );
  handleWith(transport, DELETE_STORED_SCRIPTS, (message) =>
    change(host, {
      checkBlocks: guarded('cluster:admin/script/delete', message),
      source: `delete-script-${message.id}`,
      priority: TASK_PRIORITY.normal,
      timeouts: message,
      update: (state) => deleteStoredScripts(state, message.id),
    }),
  );
}
