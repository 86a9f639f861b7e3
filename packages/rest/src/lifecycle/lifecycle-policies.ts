/**
 * `_ilm/policy`: puts, shows and deletes lifecycle policies.
 */

import { layersFor, layersOfIndexTemplate } from '@shoal/cluster';
import type { ClusterState, LifecyclePolicy } from '@shoal/cluster-state';
import { type CoordinatorContext, parseLifecyclePolicy } from '@shoal/coordinator';
import { matchesAny, parseJson, ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { isJsonObject, requiredBody } from '../request/json-body.ts';
import { readState } from '../request/managed-state.ts';
import { CHANGE_PARAMETERS, managerTimeouts, READ_PARAMETERS } from '../request/manager-timeouts.ts';

type Json = Readonly<Record<string, unknown>>;

const NAME_BYTES_MAX = 255;
const LIFECYCLE_NAME = 'index.lifecycle.name';

export const putLifecyclePolicyApi: RestApi = {
  usageName: 'ilm_put_action',
  methods: ['PUT'],
  paths: ['/_ilm/policy/{name}'],
  privilege: 'cluster:admin/ilm/put',
  task: null,
  params: CHANGE_PARAMETERS,
  body: 'json',
  handler: putPolicy,
};

export const getLifecyclePolicyApi: RestApi = {
  usageName: 'ilm_get_action',
  methods: ['GET'],
  paths: ['/_ilm/policy', '/_ilm/policy/{name}'],
  privilege: 'cluster:admin/ilm/get',
  task: null,
  params: { ...READ_PARAMETERS, timeout: withoutEffect('time', 'nothing is changed that nodes would have to apply') },
  handler: getPolicies,
};

export const deleteLifecyclePolicyApi: RestApi = {
  usageName: 'ilm_delete_action',
  methods: ['DELETE'],
  paths: ['/_ilm/policy/{name}'],
  privilege: 'cluster:admin/ilm/delete',
  task: null,
  params: CHANGE_PARAMETERS,
  handler: async (request, context) => {
    const name = request.params.required('name');
    return valueResponse(await context.cluster.admin.deleteLifecyclePolicy({ ...managerTimeouts(request), name }));
  },
};

async function putPolicy(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const name = checkedName(request.params.required('name'));
  const body = requiredBody(request);
  const unknown = Object.keys(body).find((key) => key !== 'policy');
  const { policy } = body;
  if (unknown !== undefined || !isJsonObject(policy)) {
    const problem = unknown === undefined ? 'Required [policy]' : `unknown field [${unknown}]`;
    throw new ShoalError('x_content_parse_exception', 400, `[put_lifecycle_request] ${problem}`);
  }
  const phases = parseLifecyclePolicy(policy);
  const shown = { ...policy, phases: Object.fromEntries(phases.map((phase) => [phase.name, phase.shown])) };
  const { acknowledged } = await context.cluster.admin.putLifecyclePolicy({
    ...managerTimeouts(request),
    name,
    policy: JSON.stringify(shown),
  });
  return valueResponse({ acknowledged });
}

async function getPolicies(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await readState(request, context);
  const { policies } = state.metadata.lifecycle;
  const names = request.params.list('name');
  const missing = names.find((name) => !name.includes('*') && !policies.has(name));
  if (missing !== undefined) {
    throw new ShoalError('resource_not_found_exception', 404, `Lifecycle policy not found: ${missing}`);
  }
  const shown = [...policies.values()].filter(({ name }) => names.length === 0 || matchesAny(names, name));
  return valueResponse(Object.fromEntries(shown.map((policy) => [policy.name, policyBody(state, policy)])));
}

function policyBody(state: ClusterState, { name, version, modifiedMs, policy }: LifecyclePolicy): Json {
  return {
    version,
    modified_date: new Date(modifiedMs).toISOString(),
    policy: parseJson(Buffer.from(policy)),
    in_use_by: usersOf(state, name),
  };
}

/** What would be without a policy if that one were gone. */
function usersOf({ metadata }: ClusterState, policy: string): Json {
  const { indices, dataStreams, templates } = metadata;
  const isNamed = (settings: Readonly<Record<string, string>>): boolean => settings[LIFECYCLE_NAME] === policy;
  const named = [...templates.index.values()].filter((template) =>
    isNamed(layersOfIndexTemplate(templates, template).settings),
  );
  const streams = [...dataStreams.keys()].filter((stream) => isNamed(layersFor(templates, stream, null).settings));
  return {
    indices: [...indices.values()].filter(({ settings }) => isNamed(settings)).map(({ name }) => name),
    data_streams: streams,
    composable_templates: named.map(({ name }) => name),
  };
}

/** Elasticsearch's rules for names of policies. */
function checkedName(name: string): string {
  const refuse = (problem: string): ShoalError =>
    new ShoalError('illegal_argument_exception', 400, `invalid policy name [${name}]: ${problem}`);
  if (/[ ,]/.test(name)) throw refuse("must not contain ',' or ' '");
  if (name.startsWith('_')) throw refuse("must not start with '_'");
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) throw refuse(`must not be longer than ${NAME_BYTES_MAX} bytes`);
  return name;
}
