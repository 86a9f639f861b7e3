/**
 * `_xpack` and `_xpack/usage`: which of the features that Elasticsearch adds to its open core are here.
 */

import { type ClusterSettings, keepsFailures } from '@shoal/cluster';
import type { ClusterState, DataStream } from '@shoal/cluster-state';
import type { CoordinatorContext } from '@shoal/coordinator';
import { illegalArgument, parseTimeValue } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { isTree, textAt } from '../bodies/stats-tree.ts';
import { readState } from '../request/managed-state.ts';
import { READ_PARAMETERS } from '../request/manager-timeouts.ts';
import { enterpriseSearchUsage } from './enterprise-search-usage.ts';
import { licenseSummary } from './license.ts';
import { BUILD } from './root-body.ts';

type Json = Readonly<Record<string, unknown>>;

interface UsageInput {
  readonly state: ClusterState;
  readonly settings: ClusterSettings;
  readonly context: CoordinatorContext;
  readonly signal: HttpRequest['signal'];
}

/** What `_xpack/usage` says of a feature that is here, besides that it is. */
type Usage = (input: UsageInput) => Json | Promise<Json>;

/** Features by the names that clients ask for; null: it is not here. */
const FEATURES: ReadonlyMap<string, Usage | null> = new Map<string, Usage | null>([
  ['aggregate_metric', null],
  ['analytics', null],
  ['ccr', null],
  ['data_streams', dataStreamUsage],
  ['data_tiers', null],
  ['enrich', () => ({})],
  ['enterprise_search', ({ context, signal }) => enterpriseSearchUsage(context, signal)],
  ['eql', null],
  ['flattened', flattenedUsage],
  ['frozen_indices', null],
  ['graph', null],
  ['ilm', lifecycleUsage],
  ['logstash', () => ({})],
  ['ml', null],
  ['monitoring', null],
  ['rollup', null],
  ['searchable_snapshots', null],
  ['security', null],
  ['slm', ({ state: { metadata } }) => ({ policy_count: metadata.snapshotPolicies.policies.size })],
  ['spatial', null],
  ['sql', null],
  ['transform', null],
  ['vectors', null],
  ['voting_only', () => ({})],
  ['watcher', null],
]);

const CATEGORIES = ['build', 'license', 'features'] as const;

export const xpackInfoApi: RestApi = {
  usageName: 'xpack_info_action',
  methods: ['GET'],
  paths: ['/_xpack'],
  privilege: 'cluster:monitor/xpack/info',
  task: null,
  params: {
    ...READ_PARAMETERS,
    categories: 'list',
    accept_enterprise: withoutEffect('boolean', 'the licence is of a type that every client knows'),
  },
  handler: xpackInfo,
};

export const xpackUsageApi: RestApi = {
  usageName: 'xpack_usage_action',
  methods: ['GET'],
  paths: ['/_xpack/usage'],
  privilege: 'cluster:monitor/xpack/usage',
  task: null,
  params: READ_PARAMETERS,
  handler: async (request, context) => {
    const state = await readState(request, context);
    const { signal } = request;
    return valueResponse(await usageBody({ state, settings: context.cluster.settings(), context, signal }));
  },
};

async function xpackInfo(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const names = request.params.list('categories');
  const unknown = names.find((name) => name !== '_all' && !CATEGORIES.some((category) => category === name));
  if (unknown !== undefined) {
    throw illegalArgument(
      `No enum constant org.elasticsearch.protocol.xpack.XPackInfoRequest.Category.${unknown.toUpperCase()}`,
    );
  }
  const wants = (name: (typeof CATEGORIES)[number]): boolean =>
    names.length === 0 || names.includes('_all') || names.includes(name);
  const state = await readState(request, context);
  return valueResponse({
    ...(wants('build') ? { build: { hash: BUILD.hash, date: BUILD.date } } : {}),
    ...(wants('license') ? { license: { ...licenseSummary(state), mode: 'basic' } } : {}),
    ...(wants('features') ? { features: featuresBody() } : {}),
    ...(request.params.boolean('human', true) ? { tagline: 'You know, for X' } : {}),
  });
}

function featuresBody(): Json {
  return Object.fromEntries([...FEATURES].map(([name, usage]) => [name, availability(usage)]));
}

async function usageBody(input: UsageInput): Promise<Json> {
  const bodies: Record<string, Json> = {};
  for (const [name, usage] of FEATURES) {
    bodies[name] = { ...availability(usage), ...(usage === null ? {} : await usage(input)) };
  }
  return bodies;
}

function availability(usage: Usage | null): Json {
  return { available: usage !== null, enabled: usage !== null };
}

function dataStreamUsage({ state, settings }: UsageInput): Json {
  const { dataStreams } = state.metadata;
  const streams = [...dataStreams.values()];
  const countOf = (listOf: (stream: DataStream) => readonly string[]): number =>
    streams.reduce((count, stream) => count + listOf(stream).length, 0);
  return {
    data_streams: dataStreams.size,
    indices_count: countOf(({ indices }) => indices),
    failure_store: {
      explicitly_enabled_count: streams.filter(({ failureStore }) => failureStore?.isEnabled === true).length,
      effectively_enabled_count: streams.filter((stream) => keepsFailures(stream, settings)).length,
      failure_indices_count: countOf(({ failureIndices }) => failureIndices),
    },
  };
}

function flattenedUsage({ state: { metadata } }: UsageInput): Json {
  const fieldsOf = (mapping: Json): number =>
    Object.entries(mapping).reduce((count, [key, value]) => {
      const own = key === 'type' && value === 'flattened' ? 1 : 0;
      return count + own + (typeof value === 'object' && value !== null ? fieldsOf({ ...value }) : 0);
    }, 0);
  return { field_count: [...metadata.indices.values()].reduce((count, index) => count + fieldsOf(index.mapping), 0) };
}

function lifecycleUsage({ state }: UsageInput): Json {
  const { indices, lifecycle } = state.metadata;
  const managed = (policy: string): number =>
    [...indices.values()].filter(({ settings }) => settings['index.lifecycle.name'] === policy).length;
  return {
    policy_count: lifecycle.policies.size,
    policy_stats: [...lifecycle.policies.values()].map((policy) => ({
      phases: phasesUsage(JSON.parse(policy.policy)),
      indices_managed: managed(policy.name),
    })),
  };
}

/** When each phase of a policy begins, in milliseconds, and the names of what it does. */
function phasesUsage(policy: unknown): Json {
  const phases = isTree(policy) && isTree(policy.phases) ? Object.entries(policy.phases) : [];
  return Object.fromEntries(
    phases.map(([name, phase]) => {
      const minAge = isTree(phase) ? textAt(phase, 'min_age') : null;
      const actions = isTree(phase) && isTree(phase.actions) ? Object.keys(phase.actions) : [];
      return [name, { min_age: minAge === null ? 0 : parseTimeValue(minAge, 'min_age'), actions }];
    }),
  );
}
