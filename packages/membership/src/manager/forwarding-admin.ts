/**
 * `ClusterAdmin` on any node: finds the elected cluster manager, sends it the request, and asks again when it changed.
 */
import { isShoalError, masterNotDiscovered, type ShoalError } from '@shoal/core';
import {
  ADD_VOTING_EXCLUSIONS,
  CLEAR_VOTING_EXCLUSIONS,
  CONFIRM_PRIMARY,
  CREATE_DATA_STREAM,
  CREATE_INDEX,
  DELETE_DATA_STREAMS,
  DELETE_INDICES,
  DELETE_INGEST_PIPELINES,
  DELETE_LIFECYCLE_POLICY,
  DELETE_STORED_SCRIPTS,
  DELETE_SYNONYM_RULE,
  DELETE_SYNONYM_SET,
  DELETE_TEMPLATES,
  EXPLAIN_ALLOCATION,
  HAND_OVER_PRIMARY,
  MIGRATE_TO_DATA_STREAM,
  MODIFY_DATA_STREAMS,
  PENDING_TASKS,
  PUT_INGEST_PIPELINE,
  PUT_LIFECYCLE_POLICY,
  PUT_MAPPING,
  PUT_STORED_SCRIPT,
  PUT_SYNONYM_RULE,
  PUT_SYNONYM_SET,
  PUT_TEMPLATE,
  REROUTE,
  ROLLOVER,
  ROLLOVER_ON_WRITE,
  SET_DATA_STREAM_LIFECYCLE,
  SET_DATA_STREAM_OPTIONS,
  SET_INDEX_STATE,
  SET_LIFECYCLE_MODE,
  SHARD_FAILED,
  SHARD_STARTED,
  UPDATE_ALIASES,
  UPDATE_CLUSTER_SETTINGS,
  UPDATE_INDEX_SETTINGS,
} from '@shoal/protocol';
import type { Runtime } from '@shoal/runtime';
import { type ActionCodec, type Connection, requestWith } from '@shoal/transport';
import type { ClusterAdmin } from '../service/cluster-admin.ts';
import type { StateApplier } from '../service/state-applier.ts';

export interface ForwardingHost {
  readonly runtime: Runtime;
  readonly applier: StateApplier;
  /** Throws `node_not_connected_exception`. */
  connection(nodeId: string): Connection;
}

/** Longest wait for the next state, after an answer that an older state may explain. */
const RETRY_MS = 200;
/** Time beyond the manager's own wait, so that its own answer arrives. */
const ANSWER_MARGIN_MS = 30_000;
const SHARD_STATE_TIMEOUTS = { masterTimeoutMs: 60_000, timeoutMs: 60_000 };

/** The manager was not reached, or was none: another try cannot do the change twice, or may (as in Elasticsearch). */
const RETRIED: readonly string[] = [
  'not_master_exception',
  'node_not_connected_exception',
  'node_disconnected_exception',
  'node_closed_exception',
  'connect_transport_exception',
  'action_not_found_transport_exception',
];

export function createForwardingAdmin(host: ForwardingHost): ClusterAdmin {
  const run = async <Req extends object, Res>(
    codec: ActionCodec<Req, Res>,
    request: Req,
    timeouts: { readonly masterTimeoutMs: number; readonly timeoutMs: number },
  ): Promise<Res> => forward(host, codec, request, timeouts);
  return {
    createIndex: (request) => run(CREATE_INDEX, request, request),
    deleteIndices: (request) => run(DELETE_INDICES, request, request),
    putMapping: (request) => run(PUT_MAPPING, request, request),
    updateIndexSettings: (request) => run(UPDATE_INDEX_SETTINGS, request, request),
    putTemplate: (request) => run(PUT_TEMPLATE, request, request),
    deleteTemplates: (request) => run(DELETE_TEMPLATES, request, request),
    putIngestPipeline: (request) => run(PUT_INGEST_PIPELINE, request, request),
    putStoredScript: (request) => run(PUT_STORED_SCRIPT, request, request),
    putLifecyclePolicy: (request) => run(PUT_LIFECYCLE_POLICY, request, request),
    deleteLifecyclePolicy: (request) => run(DELETE_LIFECYCLE_POLICY, request, request),
    setLifecycleMode: (request) => run(SET_LIFECYCLE_MODE, request, request),
    deleteIngestPipelines: (request) => run(DELETE_INGEST_PIPELINES, request, request),
    deleteStoredScripts: (request) => run(DELETE_STORED_SCRIPTS, request, request),
    putSynonymSet: (request) => run(PUT_SYNONYM_SET, request, request),
    deleteSynonymSet: (request) => run(DELETE_SYNONYM_SET, request, request),
    putSynonymRule: (request) => run(PUT_SYNONYM_RULE, request, request),
    deleteSynonymRule: (request) => run(DELETE_SYNONYM_RULE, request, request),
    createDataStream: (request) => run(CREATE_DATA_STREAM, request, request),
    migrateToDataStream: (request) => run(MIGRATE_TO_DATA_STREAM, request, request),
    deleteDataStreams: (request) => run(DELETE_DATA_STREAMS, request, request),
    setDataStreamLifecycle: (request) => run(SET_DATA_STREAM_LIFECYCLE, request, request),
    setDataStreamOptions: (request) => run(SET_DATA_STREAM_OPTIONS, request, request),
    modifyDataStreams: (request) => run(MODIFY_DATA_STREAMS, request, request),
    rolloverOnWrite: (request) => run(ROLLOVER_ON_WRITE, request, request),
    rollover: (request) => run(ROLLOVER, request, request),
    updateAliases: (request) => run(UPDATE_ALIASES, request, request),
    setIndexState: (request) => run(SET_INDEX_STATE, request, request),
    updateClusterSettings: (request) => run(UPDATE_CLUSTER_SETTINGS, request, request),
    reroute: (request) => run(REROUTE, request, request),
    explainAllocation: (request) =>
      run(EXPLAIN_ALLOCATION, request, { masterTimeoutMs: request.masterTimeoutMs, timeoutMs: 0 }),
    pendingTasks: async ({ masterTimeoutMs }) =>
      (await run(PENDING_TASKS, {}, { masterTimeoutMs, timeoutMs: 0 })).tasks,
    ask: run,
    addVotingConfigExclusions: async (request) => void (await run(ADD_VOTING_EXCLUSIONS, request, request)),
    clearVotingConfigExclusions: async (request) => void (await run(CLEAR_VOTING_EXCLUSIONS, request, request)),
    shardStarted: async (request) => void (await run(SHARD_STARTED, request, SHARD_STATE_TIMEOUTS)),
    shardFailed: async (request) => void (await run(SHARD_FAILED, request, SHARD_STATE_TIMEOUTS)),
    handOverPrimary: async (request) => void (await run(HAND_OVER_PRIMARY, request, SHARD_STATE_TIMEOUTS)),
    confirmPrimary: async (request) => void (await run(CONFIRM_PRIMARY, request, SHARD_STATE_TIMEOUTS)),
  };
}

async function forward<Req, Res>(
  host: ForwardingHost,
  codec: ActionCodec<Req, Res>,
  request: Req,
  { masterTimeoutMs, timeoutMs }: { readonly masterTimeoutMs: number; readonly timeoutMs: number },
): Promise<Res> {
  const { clock } = host.runtime;
  const deadline = clock.monotonicMs() + masterTimeoutMs;
  for (;;) {
    const remaining = Math.max(0, deadline - clock.monotonicMs());
    const state = await host.applier.waitFor((s) => s.clusterManagerId !== null, remaining);
    const managerId = state?.clusterManagerId ?? null;
    if (state === null || managerId === null) throw masterNotDiscovered();
    try {
      return await requestWith(host.connection(managerId), codec, request, {
        channel: 'reg',
        timeoutMs: 2 * (masterTimeoutMs + timeoutMs) + ANSWER_MARGIN_MS,
      });
    } catch (error) {
      if (!isShoalError(error) || !RETRIED.includes(error.type)) throw error;
      await nextChance(host, managerId, deadline, error);
    }
  }
}

async function nextChance(host: ForwardingHost, managerId: string, deadline: number, last: ShoalError): Promise<void> {
  const remaining = deadline - host.runtime.clock.monotonicMs();
  host.runtime.log.debug('cluster manager could not be asked, trying again', { managerId, reason: last.message });
  if (remaining <= 0) throw masterNotDiscovered();
  await host.applier.waitFor((state) => state.clusterManagerId !== managerId, Math.min(RETRY_MS, remaining));
}
