/**
 * `_cluster/health/_why`: each cause for which the cluster is not green or a node is not in it, in a sentence, with what mends it; with
 * `dry_run` also what the cluster would be after it. Of Shoal alone.
 *
 * Without a cluster manager a node answers from what it knows by itself, at once: that is when somebody asks.
 */
import { findingBody, type MembershipView, membershipFindings } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import { askNodes, type CoordinatorContext, READ_INDICES_OPTIONS, resolveIndexNames } from '@shoal/coordinator';
import { isShoalError, showHostPort } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { EXPLAIN_HEALTH, LIST_REFUSED_PEERS, type RefusedPeer } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { boundedMs } from '../request/manager-timeouts.ts';

type Json = Readonly<Record<string, unknown>>;

/** Wait for a cluster manager that does not answer, where the request does not say: then the node tells what it knows alone. */
const MANAGER_MS_DEFAULT = 5_000;
/** Wait for the other nodes to say whom they turned away. */
const PEERS_MS = 2_000;
const STATUSES: readonly string[] = ['green', 'yellow', 'red'];
/** Closed and hidden indices have health too. */
const OPTIONS = { ...READ_INDICES_OPTIONS, expandsToClosed: true, expandsToHidden: true, forbidsClosed: false };

export const whyApi: RestApi = {
  usageName: 'cluster_health_why_action',
  methods: ['GET'],
  paths: ['/_cluster/health/_why', '/_cluster/health/_why/{index}'],
  privilege: 'cluster:monitor/health/why',
  task: null,
  params: { master_timeout: 'time', dry_run: 'boolean' },
  handler: why,
};

async function why(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { cluster } = context;
  const told = await askManager(request, context);
  const state = cluster.state();
  const hasManager = told !== null;
  const nodes = hasManager ? [...state.nodes.values()].filter(({ id }) => id !== cluster.localNode.id) : [];
  const { answers } = await askNodes(context, nodes, LIST_REFUSED_PEERS, () => ({}), PEERS_MS);
  const refused = [cluster.diagnose().refused, ...[...answers.values()].map(({ peers }) => peers)].flat();
  const ofNodes = membershipFindings(membershipView(context, { state, hasManager, refused }));
  const findings = [...ofNodes.map((finding) => findingBody(finding, null)), ...findingsOf(told)].sort(
    (a, b) => STATUSES.indexOf(String(b.status)) - STATUSES.indexOf(String(a.status)),
  );
  const { status = 'red', findings: _, ...rest } = told ?? {};
  const statuses = [status, ...findings.map((finding) => finding.status)].map((text) => STATUSES.indexOf(String(text)));
  return valueResponse({
    cluster_name: state.clusterName,
    status: STATUSES[Math.max(...statuses)],
    cluster_manager: hasManager ? (state.nodes.get(state.clusterManagerId ?? '')?.name ?? null) : null,
    answered_by: cluster.localNode.name,
    number_of_nodes: state.nodes.size,
    findings,
    ...rest,
  });
}

/** What the cluster manager says; null: there is none, or it does not answer. */
async function askManager({ params }: HttpRequest, context: CoordinatorContext): Promise<Json | null> {
  const { cluster, runtime } = context;
  const state = cluster.state();
  if (state.clusterManagerId === null) return null;
  const expression = params.string('index');
  const indices = expression === null ? null : resolveIndexNames(state, expression, OPTIONS, runtime.clock.wallMs());
  const masterTimeoutMs = boundedMs(params.timeMs('master_timeout') ?? MANAGER_MS_DEFAULT);
  const question = { indices, isDryRun: params.boolean('dry_run', false) };
  try {
    return await cluster.admin.ask(EXPLAIN_HEALTH, question, { masterTimeoutMs, timeoutMs: 0 });
  } catch (error) {
    // It was lost while it was asked: that there is none is the answer.
    if (isShoalError(error) && error.type === 'master_not_discovered_exception') return null;
    throw error;
  }
}

function findingsOf(told: Json | null): readonly Json[] {
  const findings = told?.findings;
  return Array.isArray(findings) ? (findings as readonly Json[]) : [];
}

interface Known {
  readonly state: ClusterState;
  readonly hasManager: boolean;
  readonly refused: readonly RefusedPeer[];
}

function membershipView({ cluster }: CoordinatorContext, { state, hasManager, refused }: Known): MembershipView {
  const { attempts, missing, voters } = cluster.diagnose();
  // Several nodes turn the same one away: the latest tells most.
  const latest = new Map<string, RefusedPeer>();
  for (const peer of [...refused].sort((a, b) => a.lastMs - b.lastMs)) {
    latest.set(`${peer.isIncoming}/${peer.failure}/${peer.address}`, peer);
  }
  return {
    clusterName: state.clusterName,
    version: cluster.localNode.version,
    members: hasManager
      ? [...state.nodes.values()].map(({ id, address }) => ({ id, address: showHostPort(address) }))
      : [],
    hasManager,
    missing,
    voters,
    failedDials: attempts.flatMap(({ address, outcome, failure }) =>
      failure === null ? [] : [{ address: showHostPort(address), reason: outcome, failure }],
    ),
    refused: [...latest.values()],
  };
}
