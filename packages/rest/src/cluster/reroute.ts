/**
 * `POST _cluster/reroute`: assigns what can be assigned, with `retry_failed` also copies that failed too often to be tried
 * again by themselves. Commands, which move single copies, are refused.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { bodyObject, checkKeys } from '../request/json-body.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';
import { metricsOf } from './cluster-state.ts';
import { clusterStateBody, STATE_METRICS } from './cluster-state-body.ts';

const REROUTE_KEYS: readonly string[] = ['commands'];

export const rerouteApi: RestApi = {
  usageName: 'cluster_reroute_action',
  methods: ['POST'],
  paths: ['/_cluster/reroute'],
  privilege: 'cluster:admin/reroute',
  task: null,
  params: {
    ...CHANGE_PARAMETERS,
    retry_failed: 'boolean',
    explain: 'boolean',
    dry_run: 'boolean',
    metric: 'list',
  },
  body: 'json',
  handler: postReroute,
};

async function postReroute(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const body = bodyObject(request);
  checkKeys(body, REROUTE_KEYS, (key) => `[cluster_reroute] unknown field [${key}]`);
  const commands: unknown = body.commands ?? [];
  if (!Array.isArray(commands)) throw illegalArgument('[cluster_reroute] failed to parse field [commands]');
  if (commands.length > 0) throw illegalArgument('[commands] of a reroute are not supported: copies move by settings');
  if (params.boolean('dry_run', false)) throw illegalArgument('[dry_run] of a reroute is not supported');
  const names = params.list('metric');
  const metrics = names.includes('none')
    ? null
    : names.length > 0
      ? metricsOf(names)
      : new Set(STATE_METRICS.filter((metric) => metric !== 'metadata'));
  const retryFailed = params.boolean('retry_failed', false);
  const { acknowledged } = await context.cluster.admin.reroute({ ...managerTimeouts(request), retryFailed });
  const state = context.cluster.state();
  const indices = [...state.metadata.indices.keys()];
  const shown =
    metrics === null
      ? null
      : await context.turns.run(clusterStateBody(state, { metrics, indices, isFlatSettings: false }), request.signal);
  return valueResponse({
    acknowledged,
    ...(shown === null ? {} : { state: shown }),
    ...(params.boolean('explain', false) ? { explanations: [] } : {}),
  });
}
