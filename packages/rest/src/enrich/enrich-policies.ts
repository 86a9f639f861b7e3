/**
 * `_enrich/policy`: puts, shows and deletes enrich policies.
 */
import { requiredEnrichPolicy } from '@shoal/cluster';
import { type ClusterState, ENRICH_POLICY_TYPES, type EnrichPolicy } from '@shoal/cluster-state';
import { type CoordinatorContext, enrichAlias } from '@shoal/coordinator';
import { illegalArgument, parseJson, ShoalError, writeJson } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { DELETE_ENRICH_POLICY, PUT_ENRICH_POLICY } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { isJsonObject, type JsonObject, requiredBody, textAt, textsAt, unknownKey } from '../request/json-body.ts';
import { managedState } from '../request/managed-state.ts';
import { CHANGE_PARAMETERS, MANAGER_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';
import { sourceMappings } from './source-mappings.ts';

const NAME_BYTES_MAX = 255;
const KEYS: readonly string[] = ['indices', 'match_field', 'enrich_fields', 'query', 'elasticsearch_version', 'name'];
const REQUIRED: readonly string[] = ['indices', 'match_field', 'enrich_fields'];

export const putEnrichPolicyApi: RestApi = {
  usageName: 'put_enrich_policy',
  methods: ['PUT'],
  paths: ['/_enrich/policy/{name}'],
  privilege: 'cluster:admin/xpack/enrich/put',
  task: null,
  body: 'json',
  params: CHANGE_PARAMETERS,
  handler: async (request, context) => {
    const policy = parsePolicy(checkedName(request.params.required('name')), requiredBody(request));
    // What is wrong with its indices is said now, and not only when it is executed.
    sourceMappings(await managedState(request, context), context, policy);
    const message = { ...managerTimeouts(request), ...policy };
    const { acknowledged } = await context.cluster.admin.ask(PUT_ENRICH_POLICY, message, message);
    return valueResponse({ acknowledged });
  },
};

export const getEnrichPoliciesApi: RestApi = {
  usageName: 'get_enrich_policy',
  methods: ['GET'],
  paths: ['/_enrich/policy', '/_enrich/policy/{name}'],
  privilege: 'cluster:admin/xpack/enrich/get',
  task: null,
  params: MANAGER_PARAMETERS,
  handler: async (request, context) => {
    const { enrichPolicies } = (await managedState(request, context)).metadata;
    const names = request.params.list('name');
    const found = [...enrichPolicies.values()].filter(({ name }) => names.length === 0 || names.includes(name));
    return valueResponse({ policies: found.map((policy) => ({ config: { [policy.type]: policyBody(policy) } })) });
  },
};

export const deleteEnrichPolicyApi: RestApi = {
  usageName: 'delete_enrich_policy',
  methods: ['DELETE'],
  paths: ['/_enrich/policy/{name}'],
  privilege: 'cluster:admin/xpack/enrich/delete',
  task: null,
  params: CHANGE_PARAMETERS,
  handler: deletePolicy,
};

async function deletePolicy(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const name = request.params.required('name');
  const state = await managedState(request, context);
  requiredEnrichPolicy(state.metadata.enrichPolicies, name);
  const timeouts = managerTimeouts(request);
  const message = { ...timeouts, name };
  const { acknowledged } = await context.cluster.admin.ask(DELETE_ENRICH_POLICY, message, message);
  const indices = indicesOfPolicy(state, name);
  if (indices.length > 0) await context.cluster.admin.deleteIndices({ ...timeouts, indices });
  return valueResponse({ acknowledged });
}

/** Indices that executions of the policy made. */
export function indicesOfPolicy({ metadata }: ClusterState, policy: string): readonly string[] {
  const alias = enrichAlias(policy);
  return [...metadata.indices.values()]
    .filter(({ name, mapping: { _meta: meta } }) => {
      const isOwn = isJsonObject(meta) && meta.enrich_policy_name === policy;
      return isOwn && name.startsWith(`${alias}-`);
    })
    .map(({ name }) => name);
}

export function policyBody({ name, indices, query, matchField, enrichFields }: EnrichPolicy): JsonObject {
  return {
    name,
    indices,
    ...(query === null ? {} : { query: parseJson(Buffer.from(query)) }),
    match_field: matchField,
    enrich_fields: enrichFields,
  };
}

function parsePolicy(name: string, body: JsonObject): EnrichPolicy {
  const unknown = unknownKey(body, ENRICH_POLICY_TYPES);
  if (unknown !== undefined) throw malformed(`[policy] unknown field [${unknown}]`);
  const types = ENRICH_POLICY_TYPES.filter((type) => type in body);
  const [type] = types;
  if (type === undefined || types.length > 1) throw malformed('a policy has exactly one type');
  const config = body[type];
  if (!isJsonObject(config)) throw malformed(`[policy] failed to parse field [${type}]`);
  const strange = Object.keys(config).find((key) => !KEYS.includes(key));
  if (strange !== undefined) throw malformed(`[policy] unknown field [${strange}]`);
  const missing = REQUIRED.filter((key) => (config[key] ?? null) === null);
  if (missing.length > 0) throw malformed(`Required [${missing.join(', ')}]`);
  const query = config.query ?? null;
  if (query !== null && !isJsonObject(query)) throw malformed('[policy] failed to parse field [query]');
  const indices = textsAt(config, 'indices');
  const enrichFields = textsAt(config, 'enrich_fields');
  if (indices.length === 0) throw illegalArgument('indices must not be empty');
  if (enrichFields.length === 0) throw illegalArgument('enrich_fields must not be empty');
  return {
    ...{ name, type, indices, enrichFields },
    matchField: textAt(config, 'match_field') ?? '',
    query: query === null ? null : Buffer.from(writeJson(query)).toString('utf8'),
  };
}

/** Indices are named after policies, whose names have the same rules. */
function checkedName(name: string): string {
  const refuse = (problem: string): ShoalError => illegalArgument(`Invalid policy name [${name}], ${problem}`);
  if (/[\\/*?"<>| ,]/.test(name))
    throw refuse("must not contain the following characters ['\\','/','*','?','\"','<','>','|',' ',',']");
  if (name.includes('#')) throw refuse("must not contain '#'");
  if (name.includes(':')) throw refuse("must not contain ':'");
  if (/^[_+-]/.test(name)) throw refuse("must not start with '_', '-', or '+'");
  if (name === '.' || name === '..') throw refuse("must not be '.' or '..'");
  if (name !== name.toLowerCase()) throw refuse('must be lowercase');
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) throw refuse(`name is too long, (${Buffer.byteLength(name)} > 255)`);
  return name;
}

function malformed(reason: string): ShoalError {
  return new ShoalError('x_content_parse_exception', 400, reason);
}
