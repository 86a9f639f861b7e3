/**
 * `POST _cluster/reroute`: does commands to single copies, then assigns what can be assigned, with `retry_failed` also copies that
 * failed too often to be tried again by themselves.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { bodyObject, checkKeys } from '../request/json-body.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';
import { metricsOf } from './cluster-state.ts';
import { clusterStateBody, STATE_METRICS } from './cluster-state-body.ts';
import { readRerouteCommands } from './reroute-commands.ts';

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
  const commands = readRerouteCommands(body.commands ?? []);
  const names = params.list('metric');
  const metrics = names.includes('none')
    ? null
    : names.length > 0
      ? metricsOf(names)
      : new Set(STATE_METRICS.filter((metric) => metric !== 'metadata'));
  const isExplained = params.boolean('explain', false);
  const answer = await context.cluster.admin.reroute({
    ...managerTimeouts(request),
    retryFailed: params.boolean('retry_failed', false),
    isDryRun: params.boolean('dry_run', false),
    isExplained,
    commands,
  });
  const { acknowledged, explanations } = answer;
  const state = answer.state ?? context.cluster.state();
  const indices = [...state.metadata.indices.keys()];
  const shown =
    metrics === null
      ? null
      : await context.turns.run(clusterStateBody(state, { metrics, indices, isFlatSettings: false }), request.signal);
  return valueResponse({
    acknowledged,
    ...(shown === null ? {} : { state: shown }),
    ...(isExplained ? { explanations } : {}),
  });
}
