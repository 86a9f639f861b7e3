/**
 * What each request that changes a connector sets, out of its body and of what is kept. Pure.
 */

import {
  anything,
  checkedMembers,
  count,
  flag,
  instant,
  mapOf,
  nullable,
  oneOf,
  text,
} from '../request/checked-values.ts';
import type { JsonObject } from '../request/json-body.ts';
import { isJsonObject } from '../request/json-body.ts';
import { CONNECTOR_STATES, canFollow, isNameAllowed, NATIVE_PREFIX } from './connector-document.ts';
import { invalid, refused } from './connector-errors.ts';
import { activated, editedDraft, validatedDraft } from './connector-filtering.ts';
import {
  CONFIGURATION,
  FEATURES,
  FILTERING,
  PIPELINE,
  RULES,
  SCHEDULING,
  SNIPPET,
  VALIDATION,
} from './connector-parts.ts';

export interface ConnectorChange {
  /** Last part of its path. */
  readonly path: string;
  /** Name of the action, `update_` and what it changes in most. */
  readonly action: string;
  readonly hasBody: boolean;
  readonly change: (body: JsonObject, kept: JsonObject, now: string) => JsonObject;
}

const SYNC_STATES = ['canceling', 'canceled', 'completed', 'error', 'in_progress', 'pending', 'suspended'];

const LAST_SYNC = {
  last_access_control_sync_error: nullable(text),
  last_access_control_sync_scheduled_at: nullable(instant),
  last_access_control_sync_status: nullable(oneOf(SYNC_STATES)),
  last_deleted_document_count: nullable(count),
  last_incremental_sync_scheduled_at: nullable(instant),
  last_indexed_document_count: nullable(count),
  last_sync_error: nullable(text),
  last_sync_scheduled_at: nullable(instant),
  last_sync_status: nullable(oneOf(SYNC_STATES)),
  last_synced: nullable(instant),
  sync_cursor: anything,
};

export const CONNECTOR_CHANGES: readonly ConnectorChange[] = [
  { path: '_check_in', action: 'check_in', hasBody: false, change: (_, __, now) => ({ last_seen: now }) },
  {
    path: '_last_sync',
    action: 'update_last_sync_stats',
    hasBody: true,
    change: (body) => checkedMembers(body, LAST_SYNC),
  },
  { path: '_api_key_id', action: 'update_api_key_id', hasBody: true, change: changeApiKey },
  { path: '_configuration', action: 'update_configuration', hasBody: true, change: changeConfiguration },
  { path: '_error', action: 'update_error', hasBody: true, change: changeError },
  {
    path: '_features',
    action: 'update_features',
    hasBody: true,
    change: (body, { features }) =>
      mergedMember('features', checkedMembers(body, { features: FEATURES }, ['features']), features),
  },
  { path: '_filtering', action: 'update_filtering', hasBody: true, change: changeFiltering },
  {
    path: '_filtering/_validation',
    action: 'update_filtering_validation',
    hasBody: true,
    change: (body, { filtering }) => {
      const { validation } = checkedMembers(body, { validation: VALIDATION }, ['validation']);
      return { filtering: validatedDraft(filtering, validation) };
    },
  },
  {
    path: '_filtering/_activate',
    action: 'update_filtering_activation',
    hasBody: false,
    change: (_, { filtering }) => ({ filtering: activated(filtering) }),
  },
  {
    path: '_index_name',
    action: 'update_index_name',
    hasBody: true,
    change: (body) => checkedMembers(body, { index_name: nullable(text) }, ['index_name']),
  },
  { path: '_name', action: 'update_name', hasBody: true, change: changeName },
  { path: '_native', action: 'update_native', hasBody: true, change: changeNative },
  {
    path: '_pipeline',
    action: 'update_pipeline',
    hasBody: true,
    change: (body) => checkedMembers(body, { pipeline: PIPELINE }, ['pipeline']),
  },
  {
    path: '_scheduling',
    action: 'update_scheduling',
    hasBody: true,
    change: (body, { scheduling }) =>
      mergedMember('scheduling', checkedMembers(body, { scheduling: SCHEDULING }, ['scheduling']), scheduling),
  },
  { path: '_service_type', action: 'update_service_type', hasBody: true, change: changeServiceType },
  { path: '_status', action: 'update_status', hasBody: true, change: changeStatus },
];

function changeApiKey(body: JsonObject): JsonObject {
  const members = checkedMembers(body, { api_key_id: nullable(text), api_key_secret_id: nullable(text) });
  if (members.api_key_id == null && members.api_key_secret_id == null) {
    throw invalid('[api_key_id] and [api_key_secret_id] cannot both be null.');
  }
  return members;
}

/** Sets the whole configuration, or values of members that it has. Either way the connector is configured then. */
function changeConfiguration(body: JsonObject, { configuration: kept }: JsonObject): JsonObject {
  const checks = { configuration: nullable(CONFIGURATION), values: nullable(mapOf(anything)) };
  const { configuration = null, values = null } = checkedMembers(body, checks);
  if (configuration === null && values === null) throw invalid('[configuration] and [values] cannot both be null.');
  if (configuration !== null && values !== null) {
    throw invalid('[configuration] and [values] cannot both be provided in the same request.');
  }
  if (configuration !== null) return { configuration, status: 'configured' };
  const fields = isJsonObject(kept) ? kept : {};
  const given = isJsonObject(values) ? values : {};
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(fields, name));
  if (unknown.length > 0) {
    throw refused(
      `Unknown [configuration] fields in the request payload: [${unknown.join(', ')}]. ` +
        'Remove them from request or register their schema first.',
    );
  }
  const changed = Object.entries(given).map(
    ([name, value]) => [name, { ...memberObject(fields, name), value }] as const,
  );
  return { configuration: { ...fields, ...Object.fromEntries(changed) }, status: 'configured' };
}

/** An error is the state of the connector until it says that there is none. */
function changeError(body: JsonObject): JsonObject {
  const { error } = checkedMembers(body, { error: nullable(text) }, ['error']);
  return { error, status: error === null || error === '' ? 'connected' : 'error' };
}

/** Replaces all of it, or what the body has of the draft. */
function changeFiltering(body: JsonObject, { filtering }: JsonObject, now: string): JsonObject {
  const checks = { filtering: nullable(FILTERING), advanced_snippet: nullable(SNIPPET), rules: nullable(RULES) };
  const members = checkedMembers(body, checks);
  const { filtering: whole = null, advanced_snippet: snippet = null, rules = null } = members;
  if (whole !== null && (snippet !== null || rules !== null)) {
    throw invalid('[filtering] cannot be set together with [advanced_snippet] or [rules].');
  }
  if (whole !== null) return { filtering: whole };
  if (snippet === null && rules === null) {
    throw invalid('[advanced_snippet] and [rules] cannot be both [null].');
  }
  return { filtering: editedDraft(filtering, { snippet, rules, now }) };
}

function changeName(body: JsonObject): JsonObject {
  const members = checkedMembers(body, { name: nullable(text), description: nullable(text) });
  if (members.name == null && members.description == null) {
    throw invalid('[name] and [description] cannot both be null.');
  }
  return members;
}

function changeNative(body: JsonObject, kept: JsonObject): JsonObject {
  const { is_native: isNative } = checkedMembers(body, { is_native: flag }, ['is_native']);
  if (isNameAllowed(kept.index_name, isNative === true)) return { is_native: isNative, status: 'configured' };
  throw refused(
    `The index name [${String(kept.index_name)}] attached to the connector must start with the required ` +
      `prefix: [${NATIVE_PREFIX}] to be Elastic-managed. Please update the attached index first to comply with this requirement.`,
  );
}

/** Another service needs another configuration, if there is one yet. */
function changeServiceType(body: JsonObject, { status }: JsonObject): JsonObject {
  const { service_type: type } = checkedMembers(body, { service_type: text }, ['service_type']);
  return { service_type: type, status: status === 'created' ? 'created' : 'needs_configuration' };
}

function changeStatus(body: JsonObject, { status: from }: JsonObject): JsonObject {
  const { status } = checkedMembers(body, { status: oneOf(CONNECTOR_STATES) }, ['status']);
  const to = CONNECTOR_STATES.find((state) => state === status);
  if (to !== undefined && canFollow(from, to)) return { status: to };
  throw refused(`Invalid transition attempt from [${String(from)}] to [${String(status)}].`);
}

/** A member of which the body has some parts; others stay as they are. */
function mergedMember(name: string, members: JsonObject, kept: unknown): JsonObject {
  return { [name]: mergedParts(isJsonObject(kept) ? kept : {}, memberObject(members, name)) };
}

function mergedParts(kept: JsonObject, given: JsonObject): JsonObject {
  const merged = Object.entries(given).map(([name, value]) => {
    const before = kept[name];
    return [name, isJsonObject(value) && isJsonObject(before) ? mergedParts(before, value) : value] as const;
  });
  return { ...kept, ...Object.fromEntries(merged) };
}

function memberObject(body: JsonObject, name: string): JsonObject {
  const value = body[name];
  return isJsonObject(value) ? value : {};
}
