/**
 * What the elected cluster manager does when a node asks it to change the cluster state. Registered on every node; a node
 * that is not elected says so, and the asker looks for the one that is.
 */

import {
  acceptedSettings,
  addVotingExclusions,
  clearVotingExclusions,
  confirmPrimary,
  createIndex,
  deleteIndices,
  excludedNodesGone,
  exclusionsInForce,
  explainAllocation,
  explainHealth,
  failShard,
  handOverPrimary,
  putMapping,
  resizeIndex,
  setIndexState,
  startShard,
  updateAliases,
  updateClusterSettings,
  updateIndexSettings,
} from '@shoal/cluster';
import { ShoalError } from '@shoal/core';
import {
  ADD_VOTING_EXCLUSIONS,
  CLEAR_VOTING_EXCLUSIONS,
  CONFIRM_PRIMARY,
  CREATE_INDEX,
  DELETE_INDICES,
  EXPLAIN_ALLOCATION,
  EXPLAIN_HEALTH,
  HAND_OVER_PRIMARY,
  PENDING_TASKS,
  PUT_MAPPING,
  SET_INDEX_STATE,
  SHARD_FAILED,
  SHARD_STARTED,
  UPDATE_ALIASES,
  UPDATE_CLUSTER_SETTINGS,
  UPDATE_INDEX_SETTINGS,
} from '@shoal/protocol';
import { handleWith, type Transport } from '@shoal/transport';
import { createAndWait } from './create-and-wait.ts';
import { registerDataStreamHandlers } from './data-stream-handlers.ts';
import { registerEnrichPolicyHandlers } from './enrich-policy-handlers.ts';
import { registerIngestPipelineHandlers } from './ingest-pipeline-handlers.ts';
import { registerLifecycleHandlers } from './lifecycle-handlers.ts';
import { change, guarded, type ManagerHandlersHost, requireManager, shown } from './manager-change.ts';
import { TASK_PRIORITY } from './manager-task-queue.ts';
import { registerReroute } from './reroute-handler.ts';
import { registerSnapshotPolicyHandlers } from './snapshot-policy-handlers.ts';
import { registerStoredScriptHandlers } from './stored-script-handlers.ts';
import { registerSynonymSetHandlers } from './synonym-set-handlers.ts';
import { registerTemplateHandlers } from './template-handlers.ts';

/** Data nodes repeat these until the state shows them: how long one may wait here. */
const SHARD_STATE_TIMEOUTS = { masterTimeoutMs: 60_000, timeoutMs: 60_000 };
/** Reports of shard copies are facts, which no block can refuse. */
const UNBLOCKED = (): void => undefined;

export function registerManagerHandlers(transport: Transport, host: ManagerHandlersHost): void {
  handleWith(transport, CREATE_INDEX, (message) =>
    createAndWait(host, {
      index: message.index,
      waitForActiveShards: message.waitForActiveShards,
      checkBlocks: guarded('indices:admin/create', message),
      source: `create-index [${message.index}]`,
      timeouts: message,
      update: (state) => {
        const { resize } = message;
        return resize === undefined
          ? createIndex(state, message, host.context())
          : resizeIndex(state, message, resize, host.context());
      },
    }),
  );
  handleWith(transport, DELETE_INDICES, (message) =>
    change(host, {
      checkBlocks: guarded('indices:admin/delete', message),
      source: `delete-index ${shown(message.indices)}`,
      priority: TASK_PRIORITY.urgent,
      timeouts: message,
      update: (state) => deleteIndices(state, message.indices, host.context()),
    }),
  );
  handleWith(transport, PUT_MAPPING, (message) =>
    change(host, {
      checkBlocks: guarded('indices:admin/mapping/put', message),
      source: `put-mapping ${shown(message.indices)}`,
      priority: TASK_PRIORITY.high,
      timeouts: message,
      update: (state) => putMapping(state, message.indices, message.mapping),
    }),
  );
  handleWith(transport, UPDATE_INDEX_SETTINGS, (message) =>
    change(host, {
      checkBlocks: guarded('indices:admin/settings/update', message),
      source: `update-settings ${shown(message.indices)}`,
      priority: TASK_PRIORITY.urgent,
      timeouts: message,
      update: (state) => updateIndexSettings(state, message, host.context()),
    }),
  );
  handleWith(transport, UPDATE_ALIASES, (message) =>
    change(host, {
      checkBlocks: guarded('indices:admin/aliases', message),
      source: 'index-aliases',
      priority: TASK_PRIORITY.urgent,
      timeouts: message,
      update: (state) => updateAliases(state, message.actions, host.context()),
    }),
  );
  handleWith(transport, SET_INDEX_STATE, (message) =>
    change(host, {
      checkBlocks: guarded('indices:admin/state', message),
      source: `${message.state}-indices ${shown(message.indices)}`,
      priority: TASK_PRIORITY.urgent,
      timeouts: message,
      update: (state) => setIndexState(state, message.indices, message.state, host.context()),
    }),
  );
  registerClusterChanges(transport, host);
  registerTemplateHandlers(transport, host);
  registerIngestPipelineHandlers(transport, host);
  registerStoredScriptHandlers(transport, host);
  registerSynonymSetHandlers(transport, host);
  registerEnrichPolicyHandlers(transport, host);
  registerSnapshotPolicyHandlers(transport, host);
  registerLifecycleHandlers(transport, host);
  registerDataStreamHandlers(transport, host);
  registerShardState(transport, host);
  registerExclusions(transport, host);
}

function registerClusterChanges(transport: Transport, host: ManagerHandlersHost): void {
  const { applier } = host;
  handleWith(transport, UPDATE_CLUSTER_SETTINGS, async (message) => {
    const { acknowledged } = await change(host, {
      checkBlocks: guarded('cluster:admin/settings/update', message),
      source: 'cluster_update_settings',
      priority: TASK_PRIORITY.immediate,
      timeouts: message,
      update: (state) => updateClusterSettings(state, message, host.context()),
    });
    return {
      acknowledged,
      persistent: acceptedSettings(message.persistent),
      transient: acceptedSettings(message.transient),
    };
  });
  registerReroute(transport, host);
  handleWith(transport, EXPLAIN_ALLOCATION, (message) => {
    requireManager(host);
    return explainAllocation(applier.state, message, host.context());
  });
  handleWith(transport, EXPLAIN_HEALTH, (message) => {
    requireManager(host);
    return explainHealth(applier.state, message, host.context());
  });
  handleWith(transport, PENDING_TASKS, () => {
    requireManager(host);
    return { tasks: host.tasks.pending() };
  });
}

function registerShardState(transport: Transport, host: ManagerHandlersHost): void {
  handleWith(transport, SHARD_STARTED, async (message) => {
    await change(host, {
      source: 'shard-started',
      priority: TASK_PRIORITY.urgent,
      timeouts: SHARD_STATE_TIMEOUTS,
      route: (changes) => startShard(changes, message),
      settle: host.reroute,
    });
    return null;
  });
  handleWith(transport, SHARD_FAILED, async (message) => {
    host.runtime.log.warn('shard failed', { ...message });
    await change(host, {
      source: 'shard-failed',
      priority: TASK_PRIORITY.high,
      timeouts: SHARD_STATE_TIMEOUTS,
      route: (changes) => failShard(changes, message, host.context()),
      settle: host.reroute,
    });
    return null;
  });
  handleWith(transport, CONFIRM_PRIMARY, async (message) => {
    await change(host, {
      checkBlocks: UNBLOCKED,
      source: 'confirm-primary',
      priority: TASK_PRIORITY.urgent,
      timeouts: SHARD_STATE_TIMEOUTS,
      update: (state) => confirmPrimary(state, message),
    });
    return null;
  });
  handleWith(transport, HAND_OVER_PRIMARY, async (message) => {
    await change(host, {
      checkBlocks: UNBLOCKED,
      source: 'hand-over-primary',
      priority: TASK_PRIORITY.urgent,
      timeouts: SHARD_STATE_TIMEOUTS,
      update: (state) => handOverPrimary(state, message, host.context()),
      settle: host.reroute,
    });
    return null;
  });
}

function registerExclusions(transport: Transport, host: ManagerHandlersHost): void {
  const { applier } = host;
  handleWith(transport, ADD_VOTING_EXCLUSIONS, async (message) => {
    await change(host, {
      checkBlocks: guarded('cluster:admin/voting_config/add_exclusions', message),
      source: 'add-voting-config-exclusions',
      priority: TASK_PRIORITY.urgent,
      timeouts: message,
      update: (state) => addVotingExclusions(state, message, host.context()),
    });
    if ((await applier.waitFor(exclusionsInForce, message.timeoutMs)) === null) {
      throw timedOut('timed out waiting for voting config exclusions to take effect');
    }
    return null;
  });
  handleWith(transport, CLEAR_VOTING_EXCLUSIONS, async (message) => {
    requireManager(host);
    guarded('cluster:admin/voting_config/clear_exclusions', message)(applier.state);
    if (message.waitForRemoval && (await applier.waitFor(excludedNodesGone, message.timeoutMs)) === null) {
      throw timedOut(
        'timed out waiting for removal of nodes; if nodes should not be removed, set ?wait_for_removal=false',
      );
    }
    await change(host, {
      checkBlocks: guarded('cluster:admin/voting_config/clear_exclusions', message),
      source: 'clear-voting-config-exclusions',
      priority: TASK_PRIORITY.urgent,
      timeouts: message,
      update: clearVotingExclusions,
    });
    return null;
  });
}

function timedOut(reason: string): ShoalError {
  return new ShoalError('timeout_exception', 503, reason);
}
