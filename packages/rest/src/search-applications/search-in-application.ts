/**
 * `_application/search_application/{name}/_search` and `_render_query`: a search that the template of an application makes, run or
 * shown.
 */
import { type CoordinatorContext, executeSearch, PLAIN_SEARCH, READ_INDICES_OPTIONS } from '@shoal/coordinator';
import { DoubleNumber, FloatNumber, type JsonNode, jsonNodeValue, parseJson, parseJsonTree } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { isJsonObject, treeOfBody } from '../request/json-body.ts';
import { renderSearch } from '../search/render-search.ts';
import { SEARCH_TASK } from '../search/search-task.ts';
import { shownQuery } from '../search/shown-query.ts';
import { renderedText, searchBody } from '../search/templates/rendered-search.ts';
import { applicationTemplate, readParams } from './search-application.ts';
import { requiredApplication } from './search-applications.ts';

const PATH = '/_application/search_application/{name}';

export const searchInApplicationApi: RestApi = {
  usageName: 'search_application_query_action',
  methods: ['GET', 'POST'],
  paths: [`${PATH}/_search`],
  privilege: 'indices:data/read/search_application/search',
  task: { ...SEARCH_TASK, action: 'indices:data/read/search_application/search' },
  body: 'json',
  params: { typed_keys: 'boolean' },
  handler: searchInApplication,
};

export const renderApplicationQueryApi: RestApi = {
  usageName: 'search_application_render_query_action',
  methods: ['POST'],
  paths: [`${PATH}/_render_query`],
  privilege: 'cluster:admin/search_application/render_query',
  task: null,
  body: 'json',
  params: {},
  handler: renderQuery,
};

async function searchInApplication(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { body, indices } = await renderedSearch(request, context);
  const outcome = await executeSearch(context, {
    ...PLAIN_SEARCH,
    expression: indices.join(','),
    indicesOptions: READ_INDICES_OPTIONS,
    body,
    signal: request.signal,
  });
  const typedKeys = request.params.boolean('typed_keys', false);
  const shown = renderSearch(outcome, { totalHitsAsInt: false, typedKeys, withTypes: false });
  return valueResponse(await context.turns.run(shown, request.signal));
}

async function renderQuery(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { body } = await renderedSearch(request, context);
  // Text that is no JSON would make the answer none.
  const search = parseJson(body);
  if (!isJsonObject(search) || search.query === undefined) return valueResponse(search);
  return valueResponse({ ...search, query: withoutDefaultBoosts(shownQuery(search.query)) });
}

/** Queries are shown here as Elasticsearch 8 shows them: with a boost only where it is not 1. */
function withoutDefaultBoosts(shown: unknown): unknown {
  if (Array.isArray(shown)) return shown.map(withoutDefaultBoosts);
  const isNumber = shown instanceof FloatNumber || shown instanceof DoubleNumber;
  if (!isJsonObject(shown) || isNumber) return shown;
  const isDefault = (name: string, value: unknown): boolean =>
    name === 'boost' && value instanceof FloatNumber && value.value === 1;
  const kept = Object.entries(shown).filter(([name, value]) => !isDefault(name, value));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutDefaultBoosts(value)]));
}

interface RenderedSearch {
  readonly body: Uint8Array;
  readonly indices: readonly string[];
}

async function renderedSearch(request: HttpRequest, context: CoordinatorContext): Promise<RenderedSearch> {
  const given = readParams(treeOfBody(request.body));
  const kept = parseJsonTree(await requiredApplication(context, request.params.required('name')));
  const { script, params } = applicationTemplate(memberOf(kept, 'template'));
  // A parameter of the request takes the place of the application's as a whole.
  const text = renderedText(script, new Map([...params, ...given]), context);
  const indices = memberOf(kept, 'indices');
  const names = indices === null ? [] : jsonNodeValue(indices);
  return { body: searchBody(text), indices: Array.isArray(names) ? names.map(String) : [] };
}

function memberOf(node: JsonNode | null, name: string): JsonNode | null {
  return node?.kind === 'object' ? (node.members.find((member) => member.name === name)?.value ?? null) : null;
}
