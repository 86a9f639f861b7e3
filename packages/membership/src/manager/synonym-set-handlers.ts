/**
 * What the elected cluster manager does when a node asks it to change synonym sets.
 */
import { deleteSynonymRule, deleteSynonymSet, putSynonymRule, putSynonymSet } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import {
  DELETE_SYNONYM_RULE,
  DELETE_SYNONYM_SET,
  PUT_SYNONYM_RULE,
  PUT_SYNONYM_SET,
  type TimeoutsMessage,
} from '@shoal/protocol';
import { handleWith, type Transport } from '@shoal/transport';
import { change, guarded, type ManagerHandlersHost } from './manager-change.ts';
import { TASK_PRIORITY } from './manager-task-queue.ts';

export function registerSynonymSetHandlers(transport: Transport, host: ManagerHandlersHost): void {
  const run = (
    message: TimeoutsMessage,
    source: string,
    update: (state: ClusterState) => ClusterState,
  ): Promise<{ readonly acknowledged: boolean }> =>
    change(host, {
      checkBlocks: guarded('cluster:admin/synonyms/change', message),
      ...{ source, priority: TASK_PRIORITY.normal, timeouts: message, update },
    });
  handleWith(transport, PUT_SYNONYM_SET, (message) =>
    run(message, `put-synonyms-${message.id}`, (state) => putSynonymSet(state, message)),
  );
  handleWith(transport, DELETE_SYNONYM_SET, (message) =>
    run(message, `delete-synonyms-${message.id}`, (state) => deleteSynonymSet(state, message.id)),
  );
  handleWith(transport, PUT_SYNONYM_RULE, (message) =>
    run(message, `put-synonym-rule-${message.set}`, (state) => putSynonymRule(state, message.set, message.rule)),
  );
  handleWith(transport, DELETE_SYNONYM_RULE, (message) =>
    run(message, `delete-synonym-rule-${message.set}`, (state) =>
      deleteSynonymRule(state, message.set, message.ruleId),
    ),
  );
}
