/**
 * What the elected cluster manager does when a node asks it to change snapshot policies, or tells what became of their snapshots.
 */
import {
  deleteSnapshotPolicy,
  putSnapshotPolicy,
  recordPolicySnapshot,
  recordRetention,
  setSnapshotPolicyMode,
} from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import {
  type AcknowledgedMessage,
  DELETE_SNAPSHOT_POLICY,
  PUT_SNAPSHOT_POLICY,
  RECORD_POLICY_SNAPSHOT,
  RECORD_RETENTION,
  SET_SNAPSHOT_POLICY_MODE,
  type TimeoutsMessage,
} from '@shoal/protocol';
import { handleWith, type Transport } from '@shoal/transport';
import { change, guarded, type ManagerHandlersHost } from './manager-change.ts';
import { TASK_PRIORITY } from './manager-task-queue.ts';

export function registerSnapshotPolicyHandlers(transport: Transport, host: ManagerHandlersHost): void {
  const run = (
    message: TimeoutsMessage,
    source: string,
    update: (state: ClusterState) => ClusterState,
  ): Promise<AcknowledgedMessage> =>
    change(host, {
      checkBlocks: guarded('cluster:admin/slm/change', message),
      ...{ source, priority: TASK_PRIORITY.normal, timeouts: message, update },
    });
  handleWith(transport, PUT_SNAPSHOT_POLICY, (message) =>
    run(message, `put-snapshot-lifecycle-${message.name}`, (state) =>
      putSnapshotPolicy(state, message, host.context().nowMs),
    ),
  );
  handleWith(transport, DELETE_SNAPSHOT_POLICY, (message) =>
    run(message, `delete-snapshot-lifecycle-${message.name}`, (state) => deleteSnapshotPolicy(state, message.name)),
  );
  handleWith(transport, SET_SNAPSHOT_POLICY_MODE, (message) =>
    run(message, 'slm_operation_mode_update', (state) => setSnapshotPolicyMode(state, message.isStopped)),
  );
  handleWith(transport, RECORD_POLICY_SNAPSHOT, (message) =>
    run(message, `slm-record-${message.policy}`, (state) =>
      recordPolicySnapshot(state, message.policy, message.snapshot),
    ),
  );
  handleWith(transport, RECORD_RETENTION, (message) =>
    run(message, 'slm-record-retention', (state) => recordRetention(state, message)),
  );
}
