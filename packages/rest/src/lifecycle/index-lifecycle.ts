/**
 * `{index}/_ilm/explain`, `_ilm/remove` and `_ilm/retry`: how far indices have come in their policies, taking the policies from them,
 * and going on where one failed.
 */

import type { ClusterState, IndexMetadata } from '@shoal/cluster-state';
import {
  type CoordinatorContext,
  explainLifecycle,
  type IndicesOptions,
  METADATA_INDICES_OPTIONS,
} from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { durationText } from '../bodies/unit-text.ts';
import { INDICES_OPTIONS_PARAMETERS } from '../request/indices-options-parameters.ts';
import { managedState, readState } from '../request/managed-state.ts';
import { CHANGE_PARAMETERS, managerTimeouts, READ_PARAMETERS } from '../request/manager-timeouts.ts';
import { namedIndices } from '../request/named-indices.ts';

type Json = Readonly<Record<string, unknown>>;

const OPTIONS: IndicesOptions = { ...METADATA_INDICES_OPTIONS, expandsToHidden: true };

/** Name of the step in which an action waits or works. */
const STEPS: Readonly<Record<string, string>> = {
  set_priority: 'set_priority',
  rollover: 'check-rollover-ready',
  readonly: 'readonly',
  allocate: 'allocate',
  shrink: 'shrink',
  forcemerge: 'forcemerge',
  wait_for_snapshot: 'wait-for-snapshot',
  delete: 'delete',
};

export const explainLifecycleApi: RestApi = {
  usageName: 'ilm_explain_action',
  methods: ['GET'],
  paths: ['/{index}/_ilm/explain'],
  privilege: 'indices:admin/ilm/explain',
  task: null,
  params: { ...READ_PARAMETERS, ...INDICES_OPTIONS_PARAMETERS, only_managed: 'boolean', only_errors: 'boolean' },
  handler: explain,
};

export const removeLifecycleApi: RestApi = {
  usageName: 'ilm_remove_policy_for_index_action',
  methods: ['POST'],
  paths: ['/{index}/_ilm/remove'],
  privilege: 'indices:admin/ilm/remove_policy',
  task: null,
  params: { ...CHANGE_PARAMETERS, ...INDICES_OPTIONS_PARAMETERS },
  handler: remove,
};

export const retryLifecycleApi: RestApi = {
  usageName: 'ilm_retry_action',
  methods: ['POST'],
  paths: ['/{index}/_ilm/retry'],
  privilege: 'indices:admin/ilm/retry',
  task: null,
  params: { ...CHANGE_PARAMETERS, ...INDICES_OPTIONS_PARAMETERS },
  handler: retry,
};

async function explain(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const state = await readState(request, context);
  const nowMs = context.runtime.clock.wallMs();
  const onlyErrors = params.boolean('only_errors', false);
  const onlyManaged = onlyErrors || params.boolean('only_managed', false);
  const bodies = namedIndices(state, request, context, OPTIONS).flatMap((name) => {
    const index = state.metadata.indices.get(name);
    if (index === undefined) return [];
    const explained = explainLifecycle(state, index, nowMs);
    if (onlyManaged && explained.kind === 'unmanaged') return [];
    if (onlyErrors && explained.kind !== 'noPolicy') return [];
    return [[name, indexBody(state, index, nowMs)] as const];
  });
  return valueResponse({ indices: Object.fromEntries(bodies) });
}

function indexBody(state: ClusterState, index: IndexMetadata, nowMs: number): Json {
  const explained = explainLifecycle(state, index, nowMs);
  if (explained.kind === 'unmanaged') return { index: index.name, managed: false };
  if (explained.kind === 'noPolicy') {
    return {
      index: index.name,
      managed: true,
      policy: explained.name,
      step: 'ERROR',
      step_info: { type: 'illegal_argument_exception', reason: `policy [${explained.name}] does not exist` },
    };
  }
  const { policy, originMs, phase, action } = explained.progress;
  const phaseMs = originMs + (phase?.minAgeMs ?? 0);
  const done = phase === null ? 'complete' : (action?.kind ?? 'complete');
  return {
    index: index.name,
    managed: true,
    policy: policy.name,
    lifecycle_date_millis: originMs,
    age: durationText(Math.max(0, nowMs - originMs)),
    phase: phase?.name ?? 'new',
    phase_time_millis: phaseMs,
    action: done,
    action_time_millis: phaseMs,
    step: STEPS[done] ?? 'complete',
    step_time_millis: phaseMs,
    ...(phase === null
      ? {}
      : {
          phase_execution: {
            policy: policy.name,
            phase_definition: phase.shown,
            version: policy.version,
            modified_date_in_millis: policy.modifiedMs,
          },
        }),
  };
}

async function remove(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await managedState(request, context);
  const indices = namedIndices(state, request, context, OPTIONS);
  const managed = indices.filter(
    (name) => 'index.lifecycle.name' in (state.metadata.indices.get(name)?.settings ?? {}),
  );
  if (managed.length > 0) {
    await context.cluster.admin.updateIndexSettings({
      ...managerTimeouts(request),
      indices: managed,
      settings: {
        'index.lifecycle.name': null,
        'index.lifecycle.rollover_alias': null,
        'index.lifecycle.indexing_complete': null,
      },
      preserveExisting: false,
    });
  }
  return valueResponse({ has_failures: false, failed_indexes: [] });
}

/** An index with an error is looked at anew each time the policies are: there is nothing to be reset. */
async function retry(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await managedState(request, context);
  const nowMs = context.runtime.clock.wallMs();
  const isInError = (name: string): boolean => {
    const index = state.metadata.indices.get(name);
    return index !== undefined && explainLifecycle(state, index, nowMs).kind === 'noPolicy';
  };
  const sound = namedIndices(state, request, context, OPTIONS).find((name) => !isInError(name));
  if (sound !== undefined) {
    throw illegalArgument(
      `cannot retry an action for an index [${sound}] that has not encountered an error when running a Lifecycle Policy`,
    );
  }
  return valueResponse({ acknowledged: true });
}
