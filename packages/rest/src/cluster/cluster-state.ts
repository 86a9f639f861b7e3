/**
 * `_cluster/state`, whole or in parts.
 */
import {
  type CoordinatorContext,
  type IndicesOptions,
  READ_INDICES_OPTIONS,
  resolveIndexNames,
} from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { readState } from '../request/managed-state.ts';
import { boundedMs, READ_PARAMETERS } from '../request/manager-timeouts.ts';
import { clusterStateBody, STATE_METRICS, type StateMetric } from './cluster-state-body.ts';

const WAIT_TIMEOUT_MS_DEFAULT = 60_000;
const OPTIONS: IndicesOptions = { ...READ_INDICES_OPTIONS, ignoreUnavailable: true, forbidsClosed: false };

export const clusterStateApi: RestApi = {
  usageName: 'cluster_state_action',
  methods: ['GET'],
  paths: ['/_cluster/state', '/_cluster/state/{metric}', '/_cluster/state/{metric}/{index}'],
  privilege: 'cluster:monitor/state',
  task: null,
  params: {
    ...READ_PARAMETERS,
    ...INDICES_OPTIONS_PARAMETERS,
    index: 'string',
    flat_settings: 'boolean',
    wait_for_metadata_version: 'integer',
    wait_for_timeout: 'time',
  },
  handler: getState,
};

async function getState(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const metrics = metricsOf(params.list('metric'));
  const atLeast = params.integer('wait_for_metadata_version');
  let state = await readState(request, context);
  if (atLeast !== null) {
    const waitMs = boundedMs(params.timeMs('wait_for_timeout') ?? WAIT_TIMEOUT_MS_DEFAULT);
    // Metadata has no version of its own: the state's grows with every change of metadata.
    const reached = await context.cluster.waitForState((s) => s.version >= atLeast, waitMs);
    if (reached === null) return valueResponse({ cluster_name: state.clusterName, wait_for_timed_out: true });
    state = reached;
  }
  const expression = params.string('index');
  const indices =
    expression === null
      ? [...state.metadata.indices.keys()]
      : resolveIndexNames(state, expression, indicesOptionsOf(params, OPTIONS), context.runtime.clock.wallMs());
  const isFlatSettings = params.boolean('flat_settings', false);
  const body = clusterStateBody(state, { metrics, indices, isFlatSettings });
  return valueResponse(await context.turns.run(body, request.signal));
}

/** `_all` anywhere means all; nothing named, too. */
export function metricsOf(names: readonly string[]): ReadonlySet<StateMetric> {
  if (names.length === 0 || names.includes('_all')) return new Set(STATE_METRICS);
  return new Set(
    names.map((name) => {
      const metric = STATE_METRICS.find((candidate) => candidate === name);
      if (metric === undefined) throw illegalArgument(`No enum constant for cluster state metric [${name}]`);
      return metric;
    }),
  );
}
