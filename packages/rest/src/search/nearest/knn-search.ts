/**
 * `_knn_search`: the nearest documents of a vector and nothing else, as clients asked for them before `knn` was a member of a search.
 */
import { type CoordinatorContext, executeSearch, PLAIN_SEARCH } from '@shoal/coordinator';
import { illegalArgument, parsingException, writeJson } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS } from '../../request/indices-options-parameters.ts';
import { isJsonObject, type JsonObject, requiredBody, unknownKey } from '../../request/json-body.ts';
import { renderSearch } from '../render-search.ts';
import { searchInputOf } from '../search-parameters.ts';
import { SEARCH_TASK } from '../search-task.ts';

export const knnSearchApi: RestApi = {
  usageName: 'knn_search_action',
  methods: ['GET', 'POST'],
  paths: ['/{index}/_knn_search'],
  privilege: 'indices:data/read/search',
  task: SEARCH_TASK,
  body: 'json',
  params: { ...INDICES_OPTIONS_PARAMETERS, routing: 'list' },
  handler: knnSearch,
};

/** Members that a search has too. */
const SHARED: readonly string[] = ['_source', 'docvalue_fields', 'stored_fields', 'fields'];
/** Members of `knn`, none of which has a default here. */
const REQUIRED: readonly string[] = ['field', 'query_vector', 'k', 'num_candidates'];
const START = { line: 1, col: 1 };

async function knnSearch(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const body = writeJson(asSearch(requiredBody(request)));
  const outcome = await executeSearch(context, { ...PLAIN_SEARCH, ...searchInputOf(request), body });
  const shown = renderSearch(outcome, { totalHitsAsInt: false, typedKeys: false, withTypes: false });
  return valueResponse(await context.turns.run(shown, request.signal));
}

/** The body of the search that the request stands for. */
function asSearch(body: JsonObject): JsonObject {
  const { knn, filter, ...shared } = body;
  const unknown = unknownKey(shared, SHARED);
  if (unknown !== undefined) throw parsingException(`[knn-search] unknown field [${unknown}]`, START);
  if (!isJsonObject(knn)) throw illegalArgument('Required one of fields [knn], but none were specified. ');
  const missing = REQUIRED.filter((name) => knn[name] === undefined);
  if (missing.length > 0) throw illegalArgument(`Required [${missing.join(', ')}]`);
  const [foreign] = Object.keys(knn).filter((name) => !REQUIRED.includes(name));
  if (foreign !== undefined) throw parsingException(`[knn] unknown field [${foreign}]`, START);
  return { ...shared, size: knn.k, knn: filter === undefined ? knn : { ...knn, filter } };
}
