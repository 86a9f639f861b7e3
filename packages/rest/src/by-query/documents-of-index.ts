/**
 * `_delete_by_query` and `_update_by_query`: what both read out of a request for the documents of some indices.
 */
import {
  type ByQueryRequest,
  type CoordinatorContext,
  READ_INDICES_OPTIONS,
  resolveIndexNames,
  type ScrolledSearch,
} from '@shoal/coordinator';
import {
  illegalArgument,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  parsingException,
  tokenName,
} from '@shoal/core';
import { type HttpRequest, type ParameterDeclarations, withoutEffect } from '@shoal/http';
import { readInteger, readString } from '@shoal/query';
import { parseScript, type ScriptRequest } from '@shoal/script';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { SOURCE_PARAMETERS } from '../request/source-parameters.ts';
import { QUERY_PARAMETERS, refuseReadingOfNothing, sharesStatisticsOf } from '../search/search-parameters.ts';
import {
  autoSlices,
  BY_QUERY_PARAMETERS,
  checkDocumentsMax,
  documentsMaxOf,
  KEEP_ALIVE_DEFAULT,
  notNegative,
  passesConflicts,
  refuseProblems,
  SCROLL_SIZE_DEFAULT,
  searchProblems,
  sharedOptionsOf,
  slicesOf,
} from './by-query-options.ts';
import { readByQueryBody, scrollOf } from './by-query-search.ts';

export const DOCUMENTS_PARAMETERS: ParameterDeclarations = {
  ...BY_QUERY_PARAMETERS,
  ...INDICES_OPTIONS_PARAMETERS,
  ...QUERY_PARAMETERS,
  ...SOURCE_PARAMETERS,
  conflicts: 'string',
  from: 'integer',
  preference: 'string',
  request_cache: 'boolean',
  routing: 'list',
  scroll_size: 'integer',
  search_timeout: 'time',
  search_type: 'string',
  size: 'integer',
  sort: 'string',
  stats: 'list',
  terminate_after: 'integer',
  version: withoutEffect('boolean', 'versions are not shown'),
};

/** Parameters that the search takes as they are. */
const SEARCH_PARAMETERS = [
  ...Object.keys(QUERY_PARAMETERS),
  ...Object.keys(SOURCE_PARAMETERS),
  'from',
  'sort',
  'terminate_after',
];

/** Members of the body that are not part of the search. */
interface OwnMembers {
  readonly passesConflicts: boolean;
  readonly documentsMax: number | null;
  readonly hasQuery: boolean;
  /** The search says how many documents a page has. */
  readonly hasSize: boolean;
  readonly script: ScriptRequest | null;
}

/** The request, but for what is written. */
export type DocumentsRequest = Omit<ByQueryRequest, 'kind' | 'action' | 'description' | 'open' | 'writeOf'> & {
  readonly search: ScrolledSearch;
  /** Script of `_update_by_query`; null without one. */
  readonly script: ScriptRequest | null;
};

export async function documentsRequestOf(
  request: HttpRequest,
  context: CoordinatorContext,
  kind: 'delete' | 'update',
): Promise<DocumentsRequest> {
  const { params } = request;
  refuseReadingOfNothing(request);
  if (params.has('stats')) throw illegalArgument('[stats] is not supported by this server');
  const { own, request: parsed } = await readByQueryBody(context, {
    body: request.body,
    params: searchParameters(request),
    signal: request.signal,
    searched: { expression: params.required('index'), indicesOptions: indicesOptionsOf(params, READ_INDICES_OPTIONS) },
    split: (root) => split(root, kind),
  });
  const search = own.hasSize || params.has('scroll_size') ? parsed : { ...parsed, size: SCROLL_SIZE_DEFAULT };
  const hasQuery = own.hasQuery || params.has('q');
  const wanted = slicesOf(params);
  refuseProblems([...searchProblems(search, wanted), ...(kind === 'delete' && !hasQuery ? ['query is missing'] : [])]);
  const documentsMax = documentsMaxOf(own.documentsMax, params.integer('max_docs') ?? params.integer('size'));
  const expression = params.required('index');
  const indicesOptions = indicesOptionsOf(params, READ_INDICES_OPTIONS);
  const nowMs = context.runtime.clock.wallMs();
  const slices =
    wanted ?? autoSlices(context, resolveIndexNames(context.cluster.state(), expression, indicesOptions, nowMs));
  checkDocumentsMax(documentsMax, slices);
  const conflicts = params.string('conflicts');
  return {
    ...sharedOptionsOf(params),
    documentsMax,
    slices,
    ownSlice: search.slice,
    script: own.script,
    passesConflicts: conflicts === null ? own.passesConflicts : passesConflicts(conflicts),
    search: scrollOf(context, search, {
      expression,
      indicesOptions,
      routings: params.list('routing'),
      sharesStatistics: sharesStatisticsOf(params),
      usesRequestCache: params.has('request_cache') ? params.boolean('request_cache', true) : null,
      keepAlive: params.string('scroll') ?? KEEP_ALIVE_DEFAULT,
      source: kind === 'delete' ? { enabled: false, includes: [], excludes: [] } : search.source,
    }),
  };
}

function searchParameters({ params }: HttpRequest): Readonly<Record<string, string>> {
  const given = params.entries();
  const out: Record<string, string> = {};
  for (const name of SEARCH_PARAMETERS) {
    const value = given.get(name);
    if (value !== undefined) out[name] = value;
  }
  const pageSize = params.string('scroll_size');
  if (pageSize !== null) out.size = pageSize;
  const timeout = params.string('search_timeout');
  if (timeout !== null) out.timeout = timeout;
  return out;
}

function split(
  root: JsonObjectNode | null,
  kind: 'delete' | 'update',
): { readonly own: OwnMembers; readonly search: JsonObjectNode | null } {
  let passes = false;
  let documentsMax: number | null = null;
  let hasQuery = false;
  let hasSize = false;
  let script: ScriptRequest | null = null;
  const members: JsonMember[] = [];
  for (const member of root?.members ?? []) {
    const { name, value } = member;
    if (name === 'conflicts') passes = passesConflicts(readString(value, name));
    else if (name === 'max_docs') documentsMax = notNegative(readInteger(value, name));
    else if (name === 'script' && kind === 'update') script = scriptOf(value);
    else members.push(member);
    if (name === 'query') hasQuery = isQuery(member);
    if (name === 'size') hasSize = true;
  }
  return {
    own: { passesConflicts: passes, documentsMax, hasQuery, hasSize, script },
    search: root === null ? null : { ...root, members },
  };
}

function scriptOf(node: JsonNode): ScriptRequest {
  if (node.kind !== 'string' && node.kind !== 'object') {
    throw illegalArgument('Script value should be a String or a Map');
  }
  return parseScript(node);
}

/** @throws parsing_exception for null: an accident must not mean all documents */
function isQuery({ name, value }: JsonMember): boolean {
  if (value.kind !== 'null') return true;
  throw parsingException(`Unknown key for a ${tokenName(value)} in [${name}].`, value.at);
}
