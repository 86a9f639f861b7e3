/**
 * `_connector`: puts, shows, lists and deletes connectors.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { hasIndex, listKept, searchKept } from '../kept/kept-documents.ts';
import { checkedMembers, flag, nullable, text } from '../request/checked-values.ts';
import { bodyObject, isJsonObject, type JsonObject } from '../request/json-body.ts';
import { CONNECTOR, isNameAllowed, NATIVE_PREFIX, newConnector, shownConnector } from './connector-document.ts';
import { refused } from './connector-errors.ts';
import { changeEntry, deleteEntry, findEntry, newEntryId, nowText, putEntry, requiredEntry } from './kept-entries.ts';
import { deleteJobsOf } from './sync-jobs.ts';

const PATH = '/_connector/{connector_id}';
/** Connectors that a page shows when the request does not say. */
const PAGE_SIZE = 100;

const GIVEN = {
  description: nullable(text),
  index_name: nullable(text),
  is_native: nullable(flag),
  language: nullable(text),
  name: nullable(text),
  service_type: nullable(text),
};

export const putConnectorApi: RestApi = {
  usageName: 'connector_put_action',
  methods: ['PUT'],
  paths: [PATH, '/_connector'],
  privilege: 'cluster:admin/xpack/connector/put',
  task: null,
  body: 'json',
  params: {},
  handler: (request, context) =>
    putConnector(request, context, request.params.string('connector_id') ?? newEntryId(context)),
};

export const postConnectorApi: RestApi = {
  usageName: 'connector_post_action',
  methods: ['POST'],
  paths: ['/_connector'],
  privilege: 'cluster:admin/xpack/connector/post',
  task: null,
  body: 'json',
  params: {},
  handler: (request, context) => putConnector(request, context, newEntryId(context)),
};

export const getConnectorApi: RestApi = {
  usageName: 'connector_get_action',
  methods: ['GET'],
  paths: [PATH],
  privilege: 'cluster:admin/xpack/connector/get',
  task: null,
  params: { include_deleted: 'boolean' },
  handler: async ({ params }, context) => {
    const id = params.required('connector_id');
    const deleted = params.boolean('include_deleted', false) ? await findEntry(context, CONNECTOR, id) : null;
    const { body } = deleted ?? (await requiredEntry(context, CONNECTOR, id));
    return valueResponse(shownConnector(id, body));
  },
};

export const listConnectorsApi: RestApi = {
  usageName: 'connector_list_action',
  methods: ['GET'],
  paths: ['/_connector'],
  privilege: 'cluster:admin/xpack/connector/list',
  task: null,
  params: {
    from: 'integer',
    size: 'integer',
    index_name: 'list',
    connector_name: 'list',
    service_type: 'list',
    query: 'string',
    include_deleted: 'boolean',
  },
  handler: listConnectors,
};

export const deleteConnectorApi: RestApi = {
  usageName: 'connector_delete_action',
  methods: ['DELETE'],
  paths: [PATH],
  privilege: 'cluster:admin/xpack/connector/delete',
  task: null,
  params: { hard: 'boolean', delete_sync_jobs: 'boolean' },
  handler: async ({ params, signal }, context) => {
    const id = params.required('connector_id');
    if (params.boolean('hard', false)) await deleteEntry(context, CONNECTOR, id);
    else await changeEntry(context, CONNECTOR, id, () => ({ deleted: true }));
    if (params.boolean('delete_sync_jobs', false)) await deleteJobsOf(context, id, signal);
    return valueResponse({ acknowledged: true });
  },
};

/** @throws status_exception where another connector has the index, or a native one may not have it */
export async function checkIndexName(
  context: CoordinatorContext,
  id: string,
  { index_name: name, is_native: isNative }: JsonObject,
  signal: HttpRequest['signal'],
): Promise<void> {
  if (!isNameAllowed(name, isNative === true)) {
    throw refused(
      `Index attached to an Elastic-managed connector must start with the prefix: [${NATIVE_PREFIX}]. ` +
        `The index name in the payload [${String(name)}] doesn't comply with this requirement.`,
    );
  }
  if (typeof name !== 'string' || !hasIndex(context, CONNECTOR.index.name)) return;
  const query = {
    bool: {
      filter: [{ term: { index_name: name } }],
      must_not: [{ term: { deleted: true } }, { ids: { values: [id] } }],
    },
  };
  const { hits } = await searchKept(context, CONNECTOR.index.name, { size: 1, query }, signal);
  if (hits.length > 0) throw refused(`Index name [${name}] is used by another connector.`);
}

async function putConnector(request: HttpRequest, context: CoordinatorContext, id: string): Promise<HttpResponse> {
  const connector = newConnector(checkedMembers(bodyObject(request), GIVEN), nowText(context));
  await checkIndexName(context, id, connector, request.signal);
  const result = await putEntry(context, CONNECTOR, id, connector);
  return valueResponse({ result, id }, result === 'created' ? 201 : 200);
}

function listConnectors(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const filter: JsonObject[] = [];
  const named = {
    index_name: params.list('index_name'),
    name: params.list('connector_name'),
    service_type: params.list('service_type'),
  };
  for (const [field, values] of Object.entries(named)) {
    if (values !== null && values.length > 0) filter.push({ terms: { [field]: values } });
  }
  const words = params.string('query');
  if (words !== null && words !== '') {
    const value = `*${words}*`;
    const should = ['index_name', 'name'].map((field) => ({ wildcard: { [field]: { value } } }));
    filter.push({ bool: { should: [{ ids: { values: [words] } }, ...should] } });
  }
  const isDeletedShown = params.boolean('include_deleted', false);
  const query = { bool: { filter, must_not: isDeletedShown ? [] : [{ term: { deleted: true } }] } };
  const kept = { index: CONNECTOR.index.name, sort: 'index_name', pageSize: PAGE_SIZE, query };
  return listKept(request, context, kept, (id, body) => shownConnector(id, isJsonObject(body) ? body : {}));
}
