/**
 * What the elected cluster manager does when a node asks it to change ingest pipelines.
 */
import { deleteIngestPipelines, putIngestPipeline } from '@shoal/cluster';
import { DELETE_INGEST_PIPELINES, PUT_INGEST_PIPELINE } from '@shoal/protocol';
import { handleWith, type Transport } from '@shoal/transport';
import { change, guarded, keepingStack, type ManagerHandlersHost } from './manager-change.ts';
import { TASK_PRIORITY } from './manager-task-queue.ts';

export function registerIngestPipelineHandlers(transport: Transport, host: ManagerHandlersHost): void {
  handleWith(transport, PUT_INGEST_PIPELINE, (message) =>
    change(host, {
      checkBlocks: guarded('cluster:admin/ingest/pipeline/put', message),
      source: `put-pipeline-${message.id}`,
      priority: TASK_PRIORITY.normal,
      timeouts: message,
      update: (state) => putIngestPipeline(state, { id: message.id, config: message.config }),
    }),
  );
  handleWith(transport, DELETE_INGEST_PIPELINES, (message) =>
    change(host, {
      checkBlocks: guarded('cluster:admin/ingest/pipeline/delete', message),
      source: `delete-pipeline-${message.id}`,
      priority: TASK_PRIORITY.normal,
      timeouts: message,
      update: keepingStack(host, (state) => deleteIngestPipelines(state, message.id)),
    }),
  );
}
