/**
 * `_slm/policy`: puts, shows, deletes and executes snapshot policies.
 */

import type { SnapshotPolicy } from '@shoal/cluster-state';
import type { CoordinatorContext } from '@shoal/coordinator';
import { illegalArgument, matchesAny, ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import { DELETE_SNAPSHOT_POLICY, PUT_SNAPSHOT_POLICY } from '@shoal/protocol';
import { parseDurationMs } from '@shoal/schema';
import type { RestApi } from '../api/rest-api.ts';
import { requiredBody } from '../request/json-body.ts';
import { managedState } from '../request/managed-state.ts';
import { CHANGE_PARAMETERS, MANAGER_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';
import { executeSnapshotPolicy } from './execute-snapshot-policy.ts';
import { policyBody, policyParts, policyText } from './snapshot-policy.ts';

const ID_BYTES_MAX = 255;
const INTERVAL_MS_MIN_DEFAULT = 15 * 60_000;
const READ_ONLY = { timeout: withoutEffect('time', 'nothing is changed that nodes would have to apply') } as const;

export const putSnapshotPolicyApi: RestApi = {
  usageName: 'slm_put_lifecycle',
  methods: ['PUT'],
  paths: ['/_slm/policy/{id}'],
  privilege: 'cluster:admin/slm/put',
  task: null,
  body: 'json',
  params: CHANGE_PARAMETERS,
  handler: putPolicy,
};

export const getSnapshotPoliciesApi: RestApi = {
  usageName: 'slm_get_lifecycle',
  methods: ['GET'],
  paths: ['/_slm/policy', '/_slm/policy/{id}'],
  privilege: 'cluster:admin/slm/get',
  task: null,
  params: { ...MANAGER_PARAMETERS, ...READ_ONLY },
  handler: getPolicies,
};

export const deleteSnapshotPolicyApi: RestApi = {
  usageName: 'slm_delete_lifecycle',
  methods: ['DELETE'],
  paths: ['/_slm/policy/{id}'],
  privilege: 'cluster:admin/slm/delete',
  task: null,
  params: CHANGE_PARAMETERS,
  handler: async (request, context) => {
    const message = { ...managerTimeouts(request), name: request.params.required('id') };
    const { acknowledged } = await context.cluster.admin.ask(DELETE_SNAPSHOT_POLICY, message, message);
    return valueResponse({ acknowledged });
  },
};

export const executeSnapshotPolicyApi: RestApi = {
  usageName: 'slm_execute_lifecycle',
  methods: ['PUT', 'POST'],
  paths: ['/_slm/policy/{id}/_execute'],
  privilege: 'cluster:admin/slm/execute',
  task: null,
  params: { ...MANAGER_PARAMETERS, ...READ_ONLY },
  handler: async (request, context) => {
    const id = request.params.required('id');
    const policy = (await managedState(request, context)).metadata.snapshotPolicies.policies.get(id);
    if (policy === undefined) throw illegalArgument(`no such snapshot lifecycle policy [${id}]`);
    return valueResponse({ snapshot_name: await executeSnapshotPolicy(context, policy) });
  },
};

async function putPolicy(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const name = checkedId(request.params.required('id'));
  const nowMs = context.runtime.clock.wallMs();
  const least = context.cluster.settings()['slm.minimum_interval'] ?? '';
  const policy = policyText(requiredBody(request), nowMs, parseDurationMs(least) ?? INTERVAL_MS_MIN_DEFAULT);
  const { repository } = policyParts({ policy });
  const state = await managedState(request, context);
  if (!state.metadata.repositories.has(repository)) throw illegalArgument(`no such repository [${repository}]`);
  const message = { ...managerTimeouts(request), name, policy };
  const { acknowledged } = await context.cluster.admin.ask(PUT_SNAPSHOT_POLICY, message, message);
  return valueResponse({ acknowledged });
}

async function getPolicies(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { policies } = (await managedState(request, context)).metadata.snapshotPolicies;
  const ids = request.params.list('id');
  const isWanted = ({ name }: SnapshotPolicy): boolean => ids.length === 0 || matchesAny(ids, name);
  const found = [...policies.values()].filter(isWanted);
  const missing = ids.find((id) => !id.includes('*') && !policies.has(id));
  if (missing !== undefined && found.length === 0) {
    const which = `snapshot lifecycle policy or policies [${ids.join(', ')}] not found`;
    const why = policies.size === 0 ? `${which}, no policies are configured` : which;
    throw new ShoalError('resource_not_found_exception', 404, why);
  }
  const nowMs = context.runtime.clock.wallMs();
  return valueResponse(
    Object.fromEntries(found.map((policy) => [policy.name, policyBody(policy, nowMs, request.human)])),
  );
}

function checkedId(id: string): string {
  const refuse = (why: string): ShoalError => illegalArgument(`invalid policy id [${id}]: ${why}`);
  if (/[\\/*?"<>| ,#]/.test(id)) throw refuse('must not contain any of [\\ / * ? " < > | , #] or a blank');
  if (id.startsWith('_')) throw refuse("must not start with '_'");
  if (Buffer.byteLength(id) > ID_BYTES_MAX) throw refuse(`must not be longer than ${ID_BYTES_MAX} bytes`);
  return id;
}
