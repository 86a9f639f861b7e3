/**
 * `_cluster/health`: at once, or when what the request waits for has come, or 408 when it did not in time.
 */
import { type ClusterHealth, clusterHealth, type HealthStatus } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import {
  type CoordinatorContext,
  type IndicesOptions,
  READ_INDICES_OPTIONS,
  resolveIndexNames,
  splitExpression,
} from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import {
  type HealthConditions,
  type HealthLevel,
  meetsConditions,
  parseNodeCount,
} from '../bodies/health-conditions.ts';
import { parseActiveShards } from '../request/active-shards.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { readState } from '../request/managed-state.ts';
import { boundedMs, READ_PARAMETERS } from '../request/manager-timeouts.ts';
import { clusterHealthBody } from './cluster-health-body.ts';
import { queueCounts, queueDrained } from './pending-tasks-body.ts';

const HEALTH_TIMEOUT_MS_DEFAULT = 30_000;
const TIMED_OUT_STATUS = 408;
const LEVELS: readonly HealthLevel[] = ['cluster', 'indices', 'shards'];
const STATUSES: readonly HealthStatus[] = ['green', 'yellow', 'red'];
const EVENTS: readonly string[] = ['immediate', 'urgent', 'high', 'normal', 'low', 'languid'];

/** Closed and hidden indices count, and an index that is not there is waited for. */
const OPTIONS: IndicesOptions = {
  ...READ_INDICES_OPTIONS,
  ignoreUnavailable: true,
  expandsToClosed: true,
  expandsToHidden: true,
  forbidsClosed: false,
};

export const clusterHealthApi: RestApi = {
  usageName: 'cluster_health_action',
  methods: ['GET'],
  paths: ['/_cluster/health', '/_cluster/health/{index}'],
  privilege: 'cluster:monitor/health',
  task: null,
  params: {
    ...READ_PARAMETERS,
    ...INDICES_OPTIONS_PARAMETERS,
    level: LEVELS,
    timeout: 'time',
    wait_for_active_shards: 'string',
    wait_for_nodes: 'string',
    wait_for_events: EVENTS,
    wait_for_no_relocating_shards: 'boolean',
    wait_for_no_initializing_shards: 'boolean',
    wait_for_status: STATUSES,
  },
  handler: getHealth,
};

interface Reading {
  readonly health: ClusterHealth;
  readonly isMet: boolean;
}

async function getHealth(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const level = LEVELS.find((candidate) => candidate === params.string('level')) ?? 'cluster';
  const conditions = conditionsOf(request);
  await readState(request, context);
  const timeoutMs = boundedMs(params.timeMs('timeout') ?? HEALTH_TIMEOUT_MS_DEFAULT);
  const isDrained = params.has('wait_for_events') ? await queueDrained(request, context, timeoutMs) : true;
  let last: { readonly state: ClusterState; readonly reading: Reading } | null = null;
  const read = (state: ClusterState): Reading => {
    // Most requests wait for nothing: the state that is told is the one that was looked at.
    if (last?.state !== state) last = { state, reading: reading(state, request, context, conditions) };
    return last.reading;
  };
  const met = await context.cluster.waitForState((state) => read(state).isMet, timeoutMs);
  const state = met ?? context.cluster.state();
  const { health } = read(state);
  const queue = await queueCounts(request, context, state);
  const timedOut = met === null || !isDrained;
  return valueResponse(clusterHealthBody(health, { timedOut, level, queue }), timedOut ? TIMED_OUT_STATUS : 200);
}

function conditionsOf({ params }: HttpRequest): HealthConditions {
  const nodes = params.string('wait_for_nodes');
  return {
    status: STATUSES.find((status) => status === params.string('wait_for_status')) ?? null,
    nodes: nodes === null || nodes === '' ? null : parseNodeCount(nodes),
    activeShards: parseActiveShards(params.string('wait_for_active_shards')),
    noRelocating: params.boolean('wait_for_no_relocating_shards', false),
    noInitializing: params.boolean('wait_for_no_initializing_shards', false),
  };
}

function reading(
  state: ClusterState,
  { params }: HttpRequest,
  context: CoordinatorContext,
  conditions: HealthConditions,
): Reading {
  const expression = params.string('index');
  const options = indicesOptionsOf(params, OPTIONS);
  const indices = meansAll(expression, options)
    ? null
    : resolveIndexNames(state, expression, { ...options, ignoreUnavailable: true }, context.runtime.clock.wallMs());
  const missing = splitExpression(expression).some((part) => !isWildcard(part) && !isKnown(state, part));
  const health = clusterHealth(state, indices);
  return missing
    ? { health: { ...health, status: 'red' }, isMet: false }
    : { health, isMet: meetsConditions(health, conditions) };
}

/** Whether a request is about all indices, of which no name has to be looked at. */
function meansAll(expression: string | null, options: IndicesOptions): boolean {
  const { allowNoIndices, expandsToOpen, expandsToClosed, expandsToHidden } = options;
  return expression === null && allowNoIndices && expandsToOpen && expandsToClosed && expandsToHidden;
}

function isWildcard(part: string): boolean {
  return part.includes('*') || part === '_all' || part.startsWith('<');
}

function isKnown(state: ClusterState, name: string): boolean {
  const { indices, dataStreams } = state.metadata;
  return indices.has(name) || dataStreams.has(name) || [...indices.values()].some((index) => index.aliases.has(name));
}
