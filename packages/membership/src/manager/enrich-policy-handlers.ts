/**
 * What the elected cluster manager does when a node asks it to change enrich policies.
 */
import { deleteEnrichPolicy, putEnrichPolicy } from '@shoal/cluster';
import { DELETE_ENRICH_POLICY, PUT_ENRICH_POLICY } from '@shoal/protocol';
import { handleWith, type Transport } from '@shoal/transport';
import { change, guarded, type ManagerHandlersHost } from './manager-change.ts';
import { TASK_PRIORITY } from './manager-task-queue.ts';

export function registerEnrichPolicyHandlers(transport: Transport, host: ManagerHandlersHost): void {
  handleWith(transport, PUT_ENRICH_POLICY, (message) =>
    change(host, {
      checkBlocks: guarded('cluster:admin/enrich/change', message),
      source: `put-enrich-policy-${message.name}`,
      priority: TASK_PRIORITY.normal,
      timeouts: message,
      update: (state) => putEnrichPolicy(state, message),
    }),
  );
  handleWith(transport, DELETE_ENRICH_POLICY, (message) =>
    change(host, {
      checkBlocks: guarded('cluster:admin/enrich/change', message),
      source: `delete-enrich-policy-${message.name}`,
      priority: TASK_PRIORITY.normal,
      timeouts: message,
      update: (state) => deleteEnrichPolicy(state, message.name),
    }),
  );
}
