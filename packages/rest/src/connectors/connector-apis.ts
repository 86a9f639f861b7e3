/**
 * The registry of APIs of connectors, one line an API.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { requiredBody } from '../request/json-body.ts';
import { CONNECTOR_CHANGES } from './connector-changes.ts';
import { CONNECTOR } from './connector-document.ts';
import {
  checkIndexName,
  deleteConnectorApi,
  getConnectorApi,
  listConnectorsApi,
  postConnectorApi,
  putConnectorApi,
} from './connectors.ts';
import { changeEntry, nowText } from './kept-entries.ts';
import { deleteSyncJobApi, getSyncJobApi, listSyncJobsApi, postSyncJobApi, SYNC_JOB_CHANGE_APIS } from './sync-jobs.ts';

const CONNECTOR_CHANGE_APIS: readonly RestApi[] = CONNECTOR_CHANGES.map(({ path, action, hasBody, change }) => ({
  usageName: `connector_${action}_action`,
  methods: ['PUT'],
  paths: [`/_connector/{connector_id}/${path}`],
  privilege: `cluster:admin/xpack/connector/${action}`,
  task: null,
  ...(hasBody && { body: 'json' as const }),
  params: {},
  handler: async (request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> => {
    const id = request.params.required('connector_id');
    const body = hasBody ? requiredBody(request) : {};
    await changeEntry(context, CONNECTOR, id, async (kept) => {
      const members = change(body, kept, nowText(context));
      if (members.index_name !== undefined) await checkIndexName(context, id, { ...kept, ...members }, request.signal);
      return members;
    });
    return valueResponse({ result: 'updated' });
  },
}));

export const CONNECTOR_APIS: readonly RestApi[] = [
  putConnectorApi,
  postConnectorApi,
  getConnectorApi,
  listConnectorsApi,
  deleteConnectorApi,
  ...CONNECTOR_CHANGE_APIS,
  postSyncJobApi,
  getSyncJobApi,
  listSyncJobsApi,
  deleteSyncJobApi,
  ...SYNC_JOB_CHANGE_APIS,
];
