/**
 * A connector: what keeps an index in step with a source outside of the cluster. A service that runs elsewhere does the work; kept here is
 * what it is to do, and what it says of itself.
 */
import type { JsonObject } from '../request/json-body.ts';
import type { EntryKind } from './kept-entries.ts';

const KEYWORD = { type: 'keyword' };
const DATE = { type: 'date' };
const OPAQUE = { type: 'object', enabled: false };

export const CONNECTOR: EntryKind = {
  noun: 'connector',
  index: {
    name: '.elastic-connectors-v1',
    alias: '.elastic-connectors',
    mappings: {
      dynamic: false,
      properties: {
        api_key_id: KEYWORD,
        api_key_secret_id: KEYWORD,
        configuration: OPAQUE,
        deleted: { type: 'boolean' },
        description: { type: 'text' },
        error: KEYWORD,
        filtering: OPAQUE,
        index_name: KEYWORD,
        is_native: { type: 'boolean' },
        language: KEYWORD,
        last_access_control_sync_scheduled_at: DATE,
        last_access_control_sync_status: KEYWORD,
        last_incremental_sync_scheduled_at: DATE,
        last_seen: DATE,
        last_sync_scheduled_at: DATE,
        last_sync_status: KEYWORD,
        last_synced: DATE,
        name: KEYWORD,
        scheduling: OPAQUE,
        service_type: KEYWORD,
        status: KEYWORD,
        sync_cursor: OPAQUE,
        sync_now: { type: 'boolean' },
      },
    },
  },
};

export type ConnectorStatus = 'created' | 'needs_configuration' | 'configured' | 'connected' | 'error';

/** States that a connector may go to from each of them. */
const NEXT_STATES: Readonly<Record<ConnectorStatus, readonly ConnectorStatus[]>> = {
  created: ['needs_configuration', 'error'],
  needs_configuration: ['configured', 'error'],
  configured: ['needs_configuration', 'connected', 'error'],
  connected: ['configured', 'connected', 'error'],
  error: ['configured', 'connected', 'error'],
};

export const CONNECTOR_STATES: readonly ConnectorStatus[] = [
  'created',
  'needs_configuration',
  'configured',
  'connected',
  'error',
];

/** Prefix of the names of indices that connectors of the cluster's operator write to. */
export const NATIVE_PREFIX = 'content-';

/** Runs at midnight, and is off. */
const SCHEDULE = { enabled: false, interval: '0 0 0 * * ?' };

export function canFollow(from: unknown, to: ConnectorStatus): boolean {
  const known = CONNECTOR_STATES.find((state) => state === from);
  return known !== undefined && NEXT_STATES[known].includes(to);
}

/** Whether an index with this name may be the one of a connector that is native or not. */
export function isNameAllowed(indexName: unknown, isNative: boolean): boolean {
  return !isNative || typeof indexName !== 'string' || indexName.startsWith(NATIVE_PREFIX);
}

/** A connector of which the request says this much. */
export function newConnector(given: JsonObject, now: string): JsonObject {
  const isNative = given.is_native === true;
  const rules = {
    advanced_snippet: { created_at: now, updated_at: now, value: {} },
    rules: [defaultRule(now)],
    validation: { errors: [], state: 'valid' },
  };
  return {
    api_key_id: null,
    api_key_secret_id: null,
    configuration: {},
    custom_scheduling: {},
    description: null,
    error: null,
    features: null,
    filtering: [{ active: rules, domain: 'DEFAULT', draft: rules }],
    index_name: null,
    language: null,
    last_access_control_sync_error: null,
    last_access_control_sync_scheduled_at: null,
    last_access_control_sync_status: null,
    last_deleted_document_count: null,
    last_incremental_sync_scheduled_at: null,
    last_indexed_document_count: null,
    last_seen: null,
    last_sync_error: null,
    last_sync_scheduled_at: null,
    last_sync_status: null,
    last_synced: null,
    name: null,
    pipeline: null,
    scheduling: { access_control: SCHEDULE, full: SCHEDULE, incremental: SCHEDULE },
    service_type: null,
    sync_cursor: null,
    sync_now: false,
    ...given,
    is_native: isNative,
    status: isNative ? 'needs_configuration' : 'created',
    deleted: false,
  };
}

/** Rule that every list of rules ends with: what no other rule names is taken. */
export function defaultRule(now: string): JsonObject {
  return {
    created_at: now,
    field: '_',
    id: 'DEFAULT',
    order: 0,
    policy: 'include',
    rule: 'regex',
    updated_at: now,
    value: '.*',
  };
}

/** The connector as it is shown. */
export function shownConnector(id: string, body: JsonObject): JsonObject {
  return { id, ...body };
}
