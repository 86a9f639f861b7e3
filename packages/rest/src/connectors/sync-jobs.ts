/**
 * `_connector/_sync_job`: makes, shows, lists and deletes sync jobs, and takes what a service of connectors says of them.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { hasIndex, listKept, searchKept } from '../kept/kept-documents.ts';
import { anything, checkedMembers, count, instant, oneOf, openObject, text } from '../request/checked-values.ts';
import { isJsonObject, type JsonObject, requiredBody } from '../request/json-body.ts';
import { CONNECTOR } from './connector-document.ts';
import { refused } from './connector-errors.ts';
import { changeEntry, deleteEntry, newEntryId, nowText, putEntry, requiredEntry } from './kept-entries.ts';
import {
  canceled,
  canFollow,
  JOB_TYPES,
  newSyncJob,
  SYNC_JOB,
  SYNC_STATES,
  type SyncStatus,
  TRIGGERS,
} from './sync-job-document.ts';

const PATH = '/_connector/_sync_job/{connector_sync_job_id}';
/** Jobs that a page shows when the request does not say. */
const PAGE_SIZE = 100;

const jobId = ({ params }: HttpRequest): string => params.required('connector_sync_job_id');

export const postSyncJobApi: RestApi = {
  usageName: 'connector_sync_job_post_action',
  methods: ['POST'],
  paths: ['/_connector/_sync_job'],
  privilege: 'cluster:admin/xpack/connector/sync_job/post',
  task: null,
  body: 'json',
  params: {},
  handler: postSyncJob,
};

export const getSyncJobApi: RestApi = {
  usageName: 'connector_sync_job_get_action',
  methods: ['GET'],
  paths: [PATH],
  privilege: 'cluster:admin/xpack/connector/sync_job/get',
  task: null,
  params: {},
  handler: async (request, context) => {
    const { id, body } = await requiredEntry(context, SYNC_JOB, jobId(request));
    return valueResponse({ id, ...body });
  },
};

export const listSyncJobsApi: RestApi = {
  usageName: 'connector_sync_job_list_action',
  methods: ['GET'],
  paths: ['/_connector/_sync_job'],
  privilege: 'cluster:admin/xpack/connector/sync_job/list',
  task: null,
  params: { from: 'integer', size: 'integer', status: 'string', connector_id: 'string', job_type: 'list' },
  handler: listSyncJobs,
};

export const deleteSyncJobApi: RestApi = {
  usageName: 'connector_sync_job_delete_action',
  methods: ['DELETE'],
  paths: [PATH],
  privilege: 'cluster:admin/xpack/connector/sync_job/delete',
  task: null,
  params: {},
  handler: async (request, context) => {
    await deleteEntry(context, SYNC_JOB, jobId(request));
    return valueResponse({ acknowledged: true });
  },
};

/** One way in which a job changes: the members that a body and what is kept make. */
interface JobChange {
  readonly action: string;
  readonly hasBody: boolean;
  readonly change: (body: JsonObject, kept: JsonObject, now: string) => JsonObject;
}

const CHANGES: readonly JobChange[] = [
  { action: 'check_in', hasBody: false, change: (_, __, now) => ({ last_seen: now }) },
  {
    action: 'cancel',
    hasBody: false,
    change: (_, { status }, now) => {
      const members = canceled(status, now);
      checkState(status, members.status === 'canceled' ? 'canceled' : 'canceling');
      return members;
    },
  },
  { action: 'claim', hasBody: true, change: claimed },
  {
    action: 'error',
    hasBody: true,
    change: (body, { status }, now) => {
      const { error } = checkedMembers(body, { error: text }, ['error']);
      checkState(status, 'error');
      return { error, status: 'error', completed_at: now };
    },
  },
  { action: 'stats', hasBody: true, change: counted },
];

export const SYNC_JOB_CHANGE_APIS: readonly RestApi[] = CHANGES.map(({ action, hasBody, change }) => ({
  usageName: `connector_sync_job_${action === 'stats' ? 'update_stats' : action}_action`,
  methods: ['PUT'],
  paths: [`${PATH}/_${action}`],
  privilege: `cluster:admin/xpack/connector/sync_job/${action === 'stats' ? 'update_stats' : action}`,
  task: null,
  ...(hasBody && { body: 'json' as const }),
  params: {},
  handler: async (request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> => {
    const body = hasBody ? requiredBody(request) : {};
    await changeEntry(context, SYNC_JOB, jobId(request), (kept) => change(body, kept, nowText(context)));
    return valueResponse({ result: 'updated' });
  },
}));

/** Deletes all jobs of a connector. */
export async function deleteJobsOf(
  context: CoordinatorContext,
  connectorId: string,
  signal: HttpRequest['signal'],
): Promise<void> {
  const { name } = SYNC_JOB.index;
  if (!hasIndex(context, name)) return;
  for (;;) {
    const page = { size: PAGE_SIZE, _source: false, query: { term: { 'connector.id': connectorId } } };
    const { hits } = await searchKept(context, name, page, signal);
    if (hits.length === 0) return;
    for (const { hit } of hits) await deleteEntry(context, SYNC_JOB, hit.id);
  }
}

async function postSyncJob(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const checks = { id: text, job_type: oneOf(JOB_TYPES), trigger_method: oneOf(TRIGGERS) };
  const { id, job_type: jobType, trigger_method: trigger } = checkedMembers(requiredBody(request), checks, ['id']);
  const connectorId = String(id);
  const { body: connector } = await requiredEntry(context, CONNECTOR, connectorId);
  const job = { connectorId, connector, jobType: String(jobType ?? 'full'), trigger: String(trigger ?? 'on_demand') };
  const newId = newEntryId(context);
  await putEntry(context, SYNC_JOB, newId, newSyncJob(job, nowText(context)));
  return valueResponse({ id: newId }, 201);
}

function listSyncJobs(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const filter: JsonObject[] = [];
  const status = params.string('status');
  if (status !== null) filter.push({ term: { status: oneOf(SYNC_STATES)(status, 'status') } });
  const connectorId = params.string('connector_id');
  if (connectorId !== null) filter.push({ term: { 'connector.id': connectorId } });
  const types = params.list('job_type') ?? [];
  const checked = types.map((type) => oneOf(JOB_TYPES)(type, 'job_type'));
  if (checked.length > 0) filter.push({ terms: { job_type: checked } });
  const kept = { index: SYNC_JOB.index.name, sort: 'created_at', pageSize: PAGE_SIZE, query: { bool: { filter } } };
  return listKept(request, context, kept, (id, body) => ({ id, ...(isJsonObject(body) ? body : {}) }));
}

/** A worker takes the job over, with the point that the source was read up to where it says so. */
function claimed(body: JsonObject, { connector }: JsonObject, now: string): JsonObject {
  const checks = { worker_hostname: text, sync_cursor: anything };
  const { worker_hostname: host, sync_cursor: cursor } = checkedMembers(body, checks, ['worker_hostname']);
  return {
    worker_hostname: host,
    status: 'in_progress',
    last_seen: now,
    started_at: now,
    ...(cursor != null && isJsonObject(connector) && { connector: { ...connector, sync_cursor: cursor } }),
  };
}

function counted(body: JsonObject, _kept: JsonObject, now: string): JsonObject {
  const checks = {
    deleted_document_count: count,
    indexed_document_count: count,
    indexed_document_volume: count,
    last_seen: instant,
    metadata: openObject,
    total_document_count: count,
  };
  const required = ['deleted_document_count', 'indexed_document_count', 'indexed_document_volume'];
  const members = checkedMembers(body, checks, required);
  for (const [name, value] of Object.entries(members)) {
    if (typeof value === 'number' && value < 0) throw refused(`[${name}] cannot be negative.`);
  }
  return { last_seen: now, ...members };
}

function checkState(from: unknown, to: SyncStatus): void {
  if (!canFollow(from, to)) throw refused(`Invalid transition attempt from [${String(from)}] to [${to}].`);
}
