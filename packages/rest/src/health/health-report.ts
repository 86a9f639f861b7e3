/**
 * `_health_report`: how the cluster is, aspect by aspect.
 */
import { askNodes, type CoordinatorContext } from '@shoal/coordinator';
import { ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { NODE_STATS } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { validationFailed } from '../documents/write-problems.ts';
import { timeoutOf } from '../nodes/asked-nodes.ts';
import { disk } from './indicators/disk.ts';
import {
  type Diagnosis,
  type HealthFacts,
  type HealthIndicator,
  type IndicatorResult,
  worstOf,
} from './indicators/health-indicator.ts';
import { ilm } from './indicators/ilm.ts';
import { masterIsStable } from './indicators/master-is-stable.ts';
import { shardsAvailability } from './indicators/shards-availability.ts';
import { shardsCapacity } from './indicators/shards-capacity.ts';
import { slm } from './indicators/slm.ts';

type Json = Readonly<Record<string, unknown>>;

/** Resources that a diagnosis names at most, where the request does not say. */
const SIZE_DEFAULT = 1_000;
/** Page of the documentation that says how a cluster is mended. */
const HELP_PAGE = 'docs/mending.md';
/** In the order of the answer. The first is what the others rest on. */
const INDICATORS: readonly HealthIndicator[] = [masterIsStable, shardsAvailability, disk, shardsCapacity, ilm, slm];

export const healthReportApi: RestApi = {
  usageName: 'health_report_action',
  methods: ['GET'],
  paths: ['/_health_report', '/_health_report/{feature}'],
  privilege: 'cluster:monitor/health_api',
  task: null,
  params: { timeout: 'time', verbose: 'boolean', size: 'integer' },
  handler: healthReport,
};

async function healthReport(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const view = { isVerbose: params.boolean('verbose', true), size: params.integer('size') ?? SIZE_DEFAULT };
  if (view.size < 0) throw validationFailed(['The size parameter must be a positive integer']);
  const feature = params.string('feature');
  const wanted = INDICATORS.filter(({ name }) => feature === null || name === feature);
  if (wanted.length === 0)
    throw new ShoalError('resource_not_found_exception', 404, `Did not find indicator ${feature}`);
  const facts = await gatherFacts(request, context, wanted);
  const results = wanted.map((indicator) => [indicator.name, resultOf(indicator, facts)] as const);
  return valueResponse({
    ...(feature === null ? { status: worstOf(results.map(([, { status }]) => status)) } : {}),
    cluster_name: facts.state.clusterName,
    indicators: Object.fromEntries(results.map(([name, result]) => [name, resultBody(result, view)])),
  });
}

async function gatherFacts(
  request: HttpRequest,
  context: CoordinatorContext,
  wanted: readonly HealthIndicator[],
): Promise<HealthFacts> {
  const state = context.cluster.state();
  const isAsked = wanted.includes(disk) && state.clusterManagerId !== null;
  const nodes = isAsked ? [...state.nodes.values()].filter(({ roles }) => roles.includes('data')) : [];
  const { answers } = await askNodes(context, nodes, NODE_STATS, () => ({}), timeoutOf(request));
  return {
    state,
    settings: context.cluster.settings(),
    nodeStats: new Map([...answers].map(([id, { stats }]) => [id, stats])),
  };
}

/** Without a cluster manager the state may be old: nothing but that is known. */
function resultOf(indicator: HealthIndicator, facts: HealthFacts): IndicatorResult {
  if (indicator === masterIsStable || facts.state.clusterManagerId !== null) return indicator.look(facts);
  return {
    status: 'unknown',
    symptom: 'Could not determine health status without a master node.',
    details: { reasons: { master_is_stable: 'red' } },
    impacts: [],
    diagnoses: [],
  };
}

interface ReportView {
  readonly isVerbose: boolean;
  readonly size: number;
}

function resultBody({ status, symptom, details, impacts, diagnoses }: IndicatorResult, view: ReportView): Json {
  const shown = view.isVerbose ? diagnoses : [];
  return {
    status,
    symptom,
    details: view.isVerbose && Object.keys(details).length > 0 ? details : undefined,
    impacts:
      impacts.length === 0
        ? undefined
        : impacts.map(({ id, severity, description, areas }) => ({ id, severity, description, impact_areas: areas })),
    diagnosis: shown.length === 0 ? undefined : shown.map((diagnosis) => diagnosisBody(diagnosis, view)),
  };
}

function diagnosisBody({ id, cause, action, affected }: Diagnosis, { size }: ReportView): Json {
  return {
    id,
    cause,
    action,
    help_url: HELP_PAGE,
    affected_resources: affected === null ? undefined : resourcesBody(affected, size),
  };
}

function resourcesBody(affected: NonNullable<Diagnosis['affected']>, size: number): Json {
  if ('indices' in affected) return { indices: affected.indices.slice(0, size) };
  return { nodes: affected.nodes.slice(0, size).map(({ nodeId, name }) => ({ node_id: nodeId, name })) };
}
