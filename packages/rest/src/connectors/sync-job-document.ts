/**
 * A sync job: one run of a connector, which a service of connectors takes up and reports on.
 */
import type { JsonObject } from '../request/json-body.ts';
import type { EntryKind } from './kept-entries.ts';

const KEYWORD = { type: 'keyword' };
const DATE = { type: 'date' };
const LONG = { type: 'long' };

export const SYNC_JOB: EntryKind = {
  noun: 'connector sync job',
  index: {
    name: '.elastic-connectors-sync-jobs-v1',
    alias: '.elastic-connectors-sync-jobs',
    mappings: {
      dynamic: false,
      properties: {
        cancelation_requested_at: DATE,
        canceled_at: DATE,
        completed_at: DATE,
        connector: { properties: { id: KEYWORD, index_name: KEYWORD, language: KEYWORD, service_type: KEYWORD } },
        created_at: DATE,
        deleted_document_count: LONG,
        error: KEYWORD,
        indexed_document_count: LONG,
        indexed_document_volume: LONG,
        job_type: KEYWORD,
        last_seen: DATE,
        metadata: { type: 'object', enabled: false },
        started_at: DATE,
        status: KEYWORD,
        total_document_count: LONG,
        trigger_method: KEYWORD,
        worker_hostname: KEYWORD,
      },
    },
  },
};

export type SyncStatus = 'canceling' | 'canceled' | 'completed' | 'error' | 'in_progress' | 'pending' | 'suspended';

/** States that a job may go to from each of them. */
const NEXT_STATES: Readonly<Record<SyncStatus, readonly SyncStatus[]>> = {
  pending: ['in_progress', 'canceled'],
  in_progress: ['canceling', 'completed', 'suspended', 'error'],
  completed: [],
  suspended: ['in_progress', 'canceled'],
  canceling: ['canceled', 'error'],
  canceled: [],
  error: [],
};

export const SYNC_STATES: readonly SyncStatus[] = [
  'canceling',
  'canceled',
  'completed',
  'error',
  'in_progress',
  'pending',
  'suspended',
];
export const JOB_TYPES: readonly string[] = ['full', 'incremental', 'access_control'];
export const TRIGGERS: readonly string[] = ['on_demand', 'scheduled'];

/** Prefix of the index that a job of the type `access_control` writes to. */
const ACCESS_CONTROL_PREFIX = '.search-acl-filter-';

/** What a job takes along of its connector, as it was when the job was made. */
const OF_CONNECTOR: readonly string[] = ['configuration', 'language', 'pipeline', 'service_type', 'sync_cursor'];

export function canFollow(from: unknown, to: SyncStatus): boolean {
  const known = SYNC_STATES.find((state) => state === from);
  return known !== undefined && NEXT_STATES[known].includes(to);
}

export interface NewSyncJob {
  readonly connectorId: string;
  readonly connector: JsonObject;
  readonly jobType: string;
  readonly trigger: string;
}

export function newSyncJob({ connectorId, connector, jobType, trigger }: NewSyncJob, now: string): JsonObject {
  const name = connector.index_name;
  const isAccessControl = jobType === 'access_control' && typeof name === 'string';
  return {
    cancelation_requested_at: null,
    canceled_at: null,
    completed_at: null,
    connector: {
      id: connectorId,
      filtering: connector.filtering,
      index_name: isAccessControl ? `${ACCESS_CONTROL_PREFIX}${name}` : name,
      ...Object.fromEntries(OF_CONNECTOR.map((member) => [member, connector[member]])),
    },
    created_at: now,
    deleted_document_count: 0,
    error: null,
    indexed_document_count: 0,
    indexed_document_volume: 0,
    job_type: jobType,
    last_seen: now,
    metadata: {},
    started_at: null,
    status: 'pending',
    total_document_count: 0,
    trigger_method: trigger,
    worker_hostname: null,
  };
}

/** What a request to cancel makes of a job: one that nobody runs is over at once, another has to be ended by who runs it. */
export function canceled(status: unknown, now: string): JsonObject {
  if (status !== 'pending' && status !== 'suspended') return { status: 'canceling', cancelation_requested_at: now };
  return { status: 'canceled', cancelation_requested_at: now, canceled_at: now, completed_at: now };
}
