/**
 * `_create_from`: creates an index with the settings and the mapping of another one, and with what the request changes of them. No document
 * is copied.
 */

import type { IndexMetadata } from '@shoal/cluster-state';
import {
  type CoordinatorContext,
  METADATA_INDICES_OPTIONS,
  resolveDateMathName,
  resolveIndexNames,
} from '@shoal/coordinator';
import { assert, ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { indexSettingNames, parseTemplateSettings } from '@shoal/schema';
import type { RestApi } from '../api/rest-api.ts';
import { bodyObject, flagAt, isJsonObject, type JsonObject, objectAt, unknownKey } from '../request/json-body.ts';
import { managedState } from '../request/managed-state.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';
import { untypedMappings } from './mappings/untyped-mappings.ts';

const KEYS: readonly string[] = ['settings_override', 'mappings_override', 'remove_index_blocks'];
/** Settings that say which index it is, and no other index can have. */
const OWN_SETTINGS: readonly string[] = [
  'index.uuid',
  'index.creation_date',
  'index.provided_name',
  'index.version.created',
];
const OWN_SETTINGS_PREFIXES: readonly string[] = ['index.resize.', 'index.routing.allocation.initial_recovery.'];

export const createFromApi: RestApi = {
  usageName: 'create_index_from_source_action',
  methods: ['PUT', 'POST'],
  paths: ['/_create_from/{index}/{target}'],
  privilege: 'indices:admin/create',
  task: null,
  body: 'json',
  params: CHANGE_PARAMETERS,
  handler: createFrom,
};

async function createFrom(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const body = bodyObject(request);
  const unknown = unknownKey(body, KEYS);
  if (unknown !== undefined) {
    throw new ShoalError('x_content_parse_exception', 400, `[create_index_from] unknown field [${unknown}]`);
  }
  const source = await sourceOf(request, context);
  const target = request.params.required('target');
  const answer = await context.cluster.admin.createIndex({
    ...managerTimeouts(request),
    index: resolveDateMathName(target, context.runtime.clock.wallMs()),
    providedName: target,
    settings: settingsOf(source, objectAt(body, 'settings_override'), flagAt(body, 'remove_index_blocks') ?? true),
    mappings: untypedMappings(overridden(source.mapping, objectAt(body, 'mappings_override'))),
    aliases: {},
    waitForActiveShards: null,
  });
  return valueResponse({
    acknowledged: answer.acknowledged,
    shards_acknowledged: answer.shardsAcknowledged,
    index: answer.index,
  });
}

/** @throws index_not_found_exception (404) for no index of the name */
async function sourceOf(request: HttpRequest, context: CoordinatorContext): Promise<IndexMetadata> {
  const state = await managedState(request, context);
  const expression = request.params.required('index');
  const nowMs = context.runtime.clock.wallMs();
  const names = resolveIndexNames(state, expression, METADATA_INDICES_OPTIONS, nowMs);
  const [name] = names;
  if (name === undefined || names.length > 1) {
    throw new ShoalError('illegal_argument_exception', 400, `[${expression}] does not name one index`);
  }
  const source = state.metadata.indices.get(name);
  assert(source !== undefined, `index ${name} was resolved in this state`);
  return source;
}

function settingsOf(
  source: IndexMetadata,
  change: JsonObject,
  removesBlocks: boolean,
): Readonly<Record<string, unknown>> {
  // A setting that is changed to null is left to what templates and defaults say.
  const changed = indexSettingNames(change);
  const kept = Object.entries(source.settings).filter(([name]) => {
    if (OWN_SETTINGS.includes(name) || OWN_SETTINGS_PREFIXES.some((prefix) => name.startsWith(prefix))) return false;
    if (changed.some((other) => name === other || name.startsWith(`${other}.`))) return false;
    return !(removesBlocks && name.startsWith('index.blocks.'));
  });
  return { ...Object.fromEntries(kept), ...parseTemplateSettings(change) };
}

/** Members of `change` take the place of those of `base`, object by object. */
function overridden(base: JsonObject, change: JsonObject): JsonObject {
  const members = Object.entries(change).map(([key, value]) => {
    const before = base[key];
    return [key, isJsonObject(value) && isJsonObject(before) ? overridden(before, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(members) };
}
