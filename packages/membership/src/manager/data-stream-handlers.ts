/**
 * What the elected cluster manager does when a node asks it to change data streams, or to roll a name over.
 */
import {
  createDataStream,
  deleteDataStreams,
  isPrimaryActive,
  migrateToDataStream,
  modifyDataStreams,
  NO_SOURCE,
  rollover,
  rolloverOnWrite,
  setDataStreamLifecycle,
  setDataStreamOptions,
  writeIndexOf,
} from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import {
  CREATE_DATA_STREAM,
  DELETE_DATA_STREAMS,
  MIGRATE_TO_DATA_STREAM,
  MODIFY_DATA_STREAMS,
  ROLLOVER,
  ROLLOVER_ON_WRITE,
  SET_DATA_STREAM_LIFECYCLE,
  SET_DATA_STREAM_OPTIONS,
} from '@shoal/protocol';
import { handleWith, type Transport } from '@shoal/transport';
import { createAndWait } from './create-and-wait.ts';
import { change, guarded, type ManagerHandlersHost, shown } from './manager-change.ts';
import { TASK_PRIORITY } from './manager-task-queue.ts';

export function registerDataStreamHandlers(transport: Transport, host: ManagerHandlersHost): void {
  handleWith(transport, CREATE_DATA_STREAM, async (message) => {
    const { name } = message;
    const { acknowledged } = await change(host, {
      checkBlocks: guarded('indices:admin/data_stream/create', message),
      source: `create-data-stream [${name}]`,
      priority: TASK_PRIORITY.high,
      timeouts: message,
      update: (state) => createDataStream(state, name, host.context()),
    });
    // A write that follows finds the shards of the first index.
    if (acknowledged) await host.applier.waitFor((state) => isWritable(state, name), message.timeoutMs);
    return { acknowledged };
  });
  handleWith(transport, MIGRATE_TO_DATA_STREAM, (message) =>
    change(host, {
      checkBlocks: guarded('indices:admin/data_stream/migrate', message),
      source: `migrate-to-data-stream [${message.name}]`,
      priority: TASK_PRIORITY.high,
      timeouts: message,
      update: (state) => migrateToDataStream(state, message.name),
    }),
  );
  handleWith(transport, DELETE_DATA_STREAMS, (message) =>
    change(host, {
      checkBlocks: guarded('indices:admin/data_stream/delete', message),
      source: `remove-data-stream ${shown(message.names)}`,
      priority: TASK_PRIORITY.high,
      timeouts: message,
      update: (state) => deleteDataStreams(state, message.names, host.context()),
    }),
  );
  handleWith(transport, SET_DATA_STREAM_LIFECYCLE, (message) =>
    change(host, {
      checkBlocks: guarded('indices:admin/data_stream/lifecycle/put', message),
      source: `set-data-stream-lifecycle ${shown(message.names)}`,
      priority: TASK_PRIORITY.high,
      timeouts: message,
      update: (state) => setDataStreamLifecycle(state, message),
    }),
  );
  handleWith(transport, SET_DATA_STREAM_OPTIONS, (message) =>
    change(host, {
      checkBlocks: guarded('indices:admin/data_stream/options/put', message),
      source: `set-data-stream-options ${shown(message.names)}`,
      priority: TASK_PRIORITY.high,
      timeouts: message,
      update: (state) => setDataStreamOptions(state, message),
    }),
  );
  handleWith(transport, MODIFY_DATA_STREAMS, (message) =>
    change(host, {
      checkBlocks: guarded('indices:admin/data_stream/modify', message),
      source: `update-backing-indices ${shown(message.changes.map(({ index }) => index))}`,
      priority: TASK_PRIORITY.high,
      timeouts: message,
      update: (state) => modifyDataStreams(state, message.changes),
    }),
  );
  handleWith(transport, ROLLOVER_ON_WRITE, (message) =>
    change(host, {
      checkBlocks: guarded('indices:admin/data_stream/modify', message),
      source: `lazy_rollover source [${message.name}]`,
      priority: TASK_PRIORITY.high,
      timeouts: message,
      update: (state) => rolloverOnWrite(state, message.name, message.component),
    }),
  );
  handleWith(transport, ROLLOVER, (message) =>
    createAndWait(host, {
      index: message.newIndex,
      waitForActiveShards: message.waitForActiveShards,
      checkBlocks: guarded('indices:admin/rollover', message),
      source: `rollover_index source [${message.source ?? NO_SOURCE}] to target [${message.newIndex}]`,
      timeouts: message,
      update: (state) => rollover(state, message, host.context()),
    }),
  );
}

/** Every shard of the write index has started, or there is nothing to wait for any more. */
function isWritable(state: ClusterState, name: string): boolean {
  const stream = state.metadata.dataStreams.get(name);
  if (stream === undefined) return true;
  const shards = state.routing.indices.get(writeIndexOf(stream)) ?? [];
  return shards.every((copies) => isPrimaryActive(copies));
}
