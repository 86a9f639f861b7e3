/**
 * `_slm/start`, `_slm/stop`, `_slm/status`, `_slm/stats` and `_slm/_execute_retention`: whether snapshot policies are executed, what they did,
 * and a run of their retention now.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import { SET_SNAPSHOT_POLICY_MODE } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { durationText } from '../bodies/unit-text.ts';
import { managedState } from '../request/managed-state.ts';
import { CHANGE_PARAMETERS, MANAGER_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';
import { runRetention } from './run-retention.ts';
import { countsBody } from './snapshot-policy.ts';

const READ_PARAMETERS = {
  ...MANAGER_PARAMETERS,
  timeout: withoutEffect('time', 'nothing is changed that nodes would have to apply'),
} as const;

export const startSnapshotPoliciesApi: RestApi = modeApi('start', false);
export const stopSnapshotPoliciesApi: RestApi = modeApi('stop', true);

export const snapshotPolicyStatusApi: RestApi = {
  usageName: 'slm_get_operation_mode_action',
  methods: ['GET'],
  paths: ['/_slm/status'],
  privilege: 'cluster:admin/slm/status',
  task: null,
  params: READ_PARAMETERS,
  handler: async (request, context) => {
    const { isStopped } = (await managedState(request, context)).metadata.snapshotPolicies;
    return valueResponse({ operation_mode: isStopped ? 'STOPPED' : 'RUNNING' });
  },
};

export const snapshotPolicyStatsApi: RestApi = {
  usageName: 'slm_get_lifecycle_stats',
  methods: ['GET'],
  paths: ['/_slm/stats'],
  privilege: 'cluster:admin/slm/stats',
  task: null,
  params: READ_PARAMETERS,
  handler: stats,
};

export const executeRetentionApi: RestApi = {
  usageName: 'slm_execute_retention',
  methods: ['POST'],
  paths: ['/_slm/_execute_retention'],
  privilege: 'cluster:admin/slm/execute-retention',
  task: null,
  params: READ_PARAMETERS,
  handler: async (request, context) => {
    await managedState(request, context);
    await runRetention(context);
    return valueResponse({ acknowledged: true });
  },
};

function modeApi(verb: 'start' | 'stop', isStopped: boolean): RestApi {
  return {
    usageName: `slm_${verb}_action`,
    methods: ['POST'],
    paths: [`/_slm/${verb}`],
    privilege: `cluster:admin/slm/${verb}`,
    task: null,
    params: CHANGE_PARAMETERS,
    handler: async (request, context) => {
      const message = { ...managerTimeouts(request), isStopped };
      const { acknowledged } = await context.cluster.admin.ask(SET_SNAPSHOT_POLICY_MODE, message, message);
      return valueResponse({ acknowledged });
    },
  };
}

async function stats(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { policies, retention } = (await managedState(request, context)).metadata.snapshotPolicies;
  const all = [...policies.values()];
  const sum = (key: 'taken' | 'failed' | 'deleted' | 'deletionFailures'): number =>
    all.reduce((total, policy) => total + policy[key], 0);
  const counts = { taken: sum('taken'), failed: sum('failed'), deleted: sum('deleted') };
  return valueResponse({
    retention_runs: retention.runs,
    retention_failed: retention.failed,
    retention_timed_out: 0,
    retention_deletion_time: durationText(retention.tookMs),
    retention_deletion_time_millis: retention.tookMs,
    ...countsBody({ ...counts, deletionFailures: sum('deletionFailures') }, 'total_'),
    policy_stats: all.map((policy) => ({ policy: policy.name, ...countsBody(policy, '') })),
  });
}
