/**
 * `_application/search_application`: puts, shows, lists and deletes search applications.
 */
import { type CoordinatorContext, executeGet, READ_INDICES_OPTIONS, resolveIndexNames } from '@shoal/coordinator';
import { jsonNodeValue, parseJson, ShoalError, writeJson } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { createHiddenIndex, hasIndex, listKept, writeKept } from '../kept/kept-documents.ts';
import { APPLICATIONS_INDEX } from '../kept/search-application-index.ts';
import { isJsonObject, type JsonObject, treeOfBody } from '../request/json-body.ts';
import { DEFAULT_TEMPLATE, parseSearchApplication } from './search-application.ts';

const PATH = '/_application/search_application/{name}';
/** Applications that a page shows when the request does not say. */
const PAGE_SIZE = 10;

const MAPPINGS = {
  dynamic: 'strict',
  properties: {
    name: { type: 'keyword' },
    indices: { type: 'keyword' },
    analytics_collection_name: { type: 'keyword' },
    updated_at_millis: { type: 'date' },
    template: { type: 'object', enabled: false },
  },
};

export const putSearchApplicationApi: RestApi = {
  usageName: 'search_application_put_action',
  methods: ['PUT'],
  paths: [PATH],
  privilege: 'cluster:admin/search_application/put',
  task: null,
  body: 'json',
  params: { create: 'boolean' },
  handler: putApplication,
};

export const getSearchApplicationApi: RestApi = {
  usageName: 'search_application_get_action',
  methods: ['GET'],
  paths: [PATH],
  privilege: 'cluster:admin/search_application/get',
  task: null,
  params: {},
  handler: async (request, context) => {
    const kept = parseJson(await requiredApplication(context, request.params.required('name')));
    return valueResponse({ template: DEFAULT_TEMPLATE, ...(isJsonObject(kept) ? kept : {}) });
  },
};

export const deleteSearchApplicationApi: RestApi = {
  usageName: 'search_application_delete_action',
  methods: ['DELETE'],
  paths: [PATH],
  privilege: 'cluster:admin/search_application/delete',
  task: null,
  params: {},
  handler: async (request, context) => {
    const id = request.params.required('name');
    if (!hasIndex(context, APPLICATIONS_INDEX)) throw applicationNotFound(id);
    const write = { action: 'delete', index: APPLICATIONS_INDEX, id, source: null } as const;
    if ((await writeKept(context, write)) !== 'deleted') throw applicationNotFound(id);
    return valueResponse({ acknowledged: true });
  },
};

export const listSearchApplicationsApi: RestApi = {
  usageName: 'search_application_list_action',
  methods: ['GET'],
  paths: ['/_application/search_application'],
  privilege: 'cluster:admin/search_application/list',
  task: null,
  params: { q: 'string', from: 'integer', size: 'integer' },
  handler: listApplications,
};

/** JSON of an application as it is kept. @throws resource_not_found_exception */
export async function requiredApplication(context: CoordinatorContext, id: string): Promise<Uint8Array> {
  if (!hasIndex(context, APPLICATIONS_INDEX)) throw applicationNotFound(id);
  const key = { index: APPLICATIONS_INDEX, id, routing: null };
  const { document } = await executeGet(context, key, { realtime: true, refresh: false });
  if (document === null || document.source === null) throw applicationNotFound(id);
  return document.source;
}

async function putApplication(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const name = request.params.required('name');
  const { indices, analyticsCollection, template } = parseSearchApplication(treeOfBody(request.body), name);
  const nowMs = context.runtime.clock.wallMs();
  // Each has to be there by its name, or as an alias or data stream.
  for (const index of indices) {
    resolveIndexNames(context.cluster.state(), index, { ...READ_INDICES_OPTIONS, allowNoIndices: false }, nowMs);
  }
  await createHiddenIndex(context, { name: APPLICATIONS_INDEX, mappings: MAPPINGS });
  const source = writeJson({
    name,
    indices,
    updated_at_millis: nowMs,
    ...(analyticsCollection === null ? {} : { analytics_collection_name: analyticsCollection }),
    ...(template === null ? {} : { template: jsonNodeValue(template) }),
  });
  const action = request.params.boolean('create', false) ? 'create' : 'index';
  const result = await writeKept(context, { action, index: APPLICATIONS_INDEX, id: name, source });
  return valueResponse({ result }, result === 'created' ? 201 : 200);
}

async function listApplications(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const q = request.params.string('q');
  const query = q === null ? { match_all: {} } : { query_string: { query: q, default_field: 'name' } };
  const kept = { index: APPLICATIONS_INDEX, sort: 'name', pageSize: PAGE_SIZE, query };
  return listKept(request, context, kept, (_, body) => listed(body));
}

function listed(kept: unknown): JsonObject {
  const { name, updated_at_millis, analytics_collection_name: collection } = isJsonObject(kept) ? kept : {};
  return { name, updated_at_millis, ...(collection === undefined ? {} : { analytics_collection_name: collection }) };
}

function applicationNotFound(name: string): ShoalError {
  return new ShoalError('resource_not_found_exception', 404, name);
}
