/**
 * `_field_caps`: which types the fields of several indices have, and what can be done with them. Mappings are in the cluster
 * state, so that shards are asked for `index_filter` and `include_empty_fields=false` alone.
 */
import { checkBlock } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import {
  allowsIdValuesOf,
  type CoordinatorContext,
  fieldsWithValues,
  type MatchingIndices,
  matchingIndices,
  READ_INDICES_OPTIONS,
} from '@shoal/coordinator';
import { renderCause, ShoalError, type Steps } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { parseQuery, parseRuntimeMappings } from '@shoal/query';
import { parseMapping, withRuntimeFields } from '@shoal/schema';
import type { RestApi } from '../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS } from '../request/indices-options-parameters.ts';
import { bodyObject, checkKeys, textsAt, treeOfBody } from '../request/json-body.ts';
import { namedIndices } from '../request/named-indices.ts';
import {
  fieldCapabilitiesBody,
  type IndexCapabilities,
  indexCapabilities,
  type WantedFields,
} from './field-capabilities.ts';

const KEYS: readonly string[] = ['fields', 'index_filter', 'runtime_mappings'];

export const fieldCapsApi: RestApi = {
  usageName: 'field_capabilities_action',
  methods: ['GET', 'POST'],
  paths: ['/_field_caps', '/{index}/_field_caps'],
  privilege: 'indices:data/read/field_caps',
  task: null,
  body: 'json',
  params: {
    ...INDICES_OPTIONS_PARAMETERS,
    fields: 'list',
    include_unmapped: 'boolean',
    include_empty_fields: 'boolean',
    filters: 'list',
    types: 'list',
  },
  handler: fieldCaps,
};

async function fieldCaps(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const patterns = patternsOf(request);
  const runtimeMappings = runtimeMappingsOf(request);
  const state = context.cluster.state();
  checkBlock(state, 'metadata_read', []);
  const named = [...namedIndices(state, request, context, READ_INDICES_OPTIONS)].sort();
  const { matching, failures } = await filtered(request, context, named);
  const [failure] = failures.values();
  if (failure !== undefined && matching.size === 0) throw failure;
  const names = named.filter((name) => matching.has(name));
  const includeUnmapped = request.params.boolean('include_unmapped', false);
  const wanted = {
    patterns,
    filters: request.params.list('filters'),
    types: request.params.list('types'),
    allowsIdValues: allowsIdValuesOf(context.cluster),
  };
  const filled = request.params.boolean('include_empty_fields', true)
    ? null
    : await fieldsWithValues(context, { names, signal: request.signal });
  const steps = answer(state, names, { wanted, includeUnmapped, runtimeMappings, filled });
  return valueResponse({ ...(await context.turns.run(steps, request.signal)), ...failuresBody(failures) });
}

/** What `index_filter` leaves of the indices; all of them without it. */
async function filtered(
  request: HttpRequest,
  context: CoordinatorContext,
  names: readonly string[],
): Promise<MatchingIndices> {
  const query = await context.trees.read(request, (tree) => {
    const given = tree?.kind === 'object' ? tree.members.find(({ name }) => name === 'index_filter')?.value : undefined;
    return given === undefined || given.kind === 'null' ? null : parseQuery(given);
  });
  if (query === null) return { matching: new Set(names), failures: new Map() };
  return await matchingIndices(context, { names, query, signal: request.signal });
}

function failuresBody(failures: MatchingIndices['failures']): Readonly<Record<string, unknown>> {
  if (failures.size === 0) return {};
  const shown = [...failures].map(([index, error]) => ({ indices: [index], failure: { error: renderCause(error) } }));
  return { failed_indices: failures.size, failures: shown };
}

interface FieldCapsRequest {
  readonly wanted: WantedFields;
  readonly includeUnmapped: boolean;
  /** JSON text of the fields that the request declares; null: none. */
  readonly runtimeMappings: string | null;
  /** Fields with values by index, of indices that told; null: fields without count too. */
  readonly filled: ReadonlyMap<string, ReadonlySet<string>> | null;
}

/** The answer in steps: the mappings of many indices take longer than other requests should wait. */
function* answer(
  state: ClusterState,
  names: readonly string[],
  { wanted, includeUnmapped, runtimeMappings, filled }: FieldCapsRequest,
): Steps<Readonly<Record<string, unknown>>> {
  const indices = new Map<string, IndexCapabilities>();
  for (const name of names) {
    const index = state.metadata.indices.get(name);
    if (index !== undefined) {
      const mapping = withRuntimeFields(parseMapping(index.mapping), runtimeMappings);
      indices.set(name, indexCapabilities(mapping, wanted, filled?.get(name) ?? null));
    }
    yield;
  }
  return yield* fieldCapabilitiesBody(indices, includeUnmapped);
}

/** The parameter wins over the body. */
function patternsOf(request: HttpRequest): readonly string[] {
  const body = bodyObject(request);
  checkKeys(body, KEYS, (key) => `[field_caps_request] unknown field [${key}]`);
  const patterns = request.params.has('fields') ? request.params.list('fields') : textsAt(body, 'fields');
  if (patterns.length > 0) return patterns;
  throw new ShoalError('action_request_validation_exception', 400, 'Validation Failed: 1: no fields specified;');
}

function runtimeMappingsOf(request: HttpRequest): string | null {
  const tree = treeOfBody(request.body);
  const member = tree?.kind === 'object' ? tree.members.find(({ name }) => name === 'runtime_mappings') : undefined;
  return member === undefined ? null : parseRuntimeMappings(member);
}
