/**
 * What the elected cluster manager does when a node asks it to change lifecycle policies.
 */
import { deleteLifecyclePolicy, putLifecyclePolicy, setLifecycleMode } from '@shoal/cluster';
import { DELETE_LIFECYCLE_POLICY, PUT_LIFECYCLE_POLICY, SET_LIFECYCLE_MODE } from '@shoal/protocol';
import { handleWith, type Transport } from '@shoal/transport';
import { change, guarded, keepingStack, type ManagerHandlersHost } from './manager-change.ts';
import { TASK_PRIORITY } from './manager-task-queue.ts';

export function registerLifecycleHandlers(transport: Transport, host: ManagerHandlersHost): void {
  handleWith(transport, PUT_LIFECYCLE_POLICY, (message) =>
    change(host, {
      checkBlocks: guarded('cluster:admin/ilm/put', message),
      source: `put-lifecycle-${message.name}`,
      priority: TASK_PRIORITY.normal,
      timeouts: message,
      update: (state) => putLifecyclePolicy(state, message, host.context().nowMs),
    }),
  );
  handleWith(transport, DELETE_LIFECYCLE_POLICY, (message) =>
    change(host, {
      checkBlocks: guarded('cluster:admin/ilm/delete', message),
      source: `delete-lifecycle-${message.name}`,
      priority: TASK_PRIORITY.normal,
      timeouts: message,
      update: keepingStack(host, (state) => deleteLifecyclePolicy(state, message.name)),
    }),
  );
  handleWith(transport, SET_LIFECYCLE_MODE, (message) =>
    change(host, {
      checkBlocks: guarded('cluster:admin/ilm/mode', message),
      source: 'ilm_operation_mode_update',
      priority: TASK_PRIORITY.normal,
      timeouts: message,
      update: (state) => setLifecycleMode(state, message.isStopped),
    }),
  );
}
