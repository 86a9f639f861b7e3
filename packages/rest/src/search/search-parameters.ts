/**
 * Parameters of the search and count APIs: those that are part of the search itself, and those that the coordinator acts on.
 */

import { DEFAULT_BATCHED_REDUCE_SIZE, READ_INDICES_OPTIONS, type SearchInput } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import {
  type HttpRequest,
  type ParameterDeclarations,
  type RequestParameters,
  unknownParametersError,
  withoutEffect,
} from '@shoal/http';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { sharesStatistics } from './search-type.ts';

/** `q` and the parameters that say how it is read. */
export const QUERY_PARAMETERS: ParameterDeclarations = {
  q: 'string',
  df: 'string',
  analyzer: 'string',
  analyze_wildcard: 'boolean',
  default_operator: 'string',
  lenient: 'boolean',
};

/** `q` and the parameters that say how it is read, as they were given. */
export function queryParametersOf({ params }: HttpRequest): Readonly<Record<string, string>> {
  return Object.fromEntries([...params.entries()].filter(([name]) => Object.hasOwn(QUERY_PARAMETERS, name)));
}

/** Parameters that count for nothing without `q`. */
const READING_PARAMETERS = Object.keys(QUERY_PARAMETERS).filter((name) => name !== 'q');

/** `suggest_field`, and the parameters that say what is suggested there. */
const SUGGEST_PARAMETERS: ParameterDeclarations = {
  suggest_field: 'string',
  suggest_mode: 'string',
  suggest_size: 'integer',
  suggest_text: 'string',
};

/** Parameters that count for nothing without `suggest_field`. */
const SUGGESTING_PARAMETERS = Object.keys(SUGGEST_PARAMETERS).filter((name) => name !== 'suggest_field');

/** 400 for parameters of `q` in a request without it. */
export function refuseReadingOfNothing(request: HttpRequest): void {
  if (!request.params.has('q')) refuseParameters(request, READING_PARAMETERS);
}

/** 400 for parameters of `suggest_field` in a request without it. */
export function refuseSuggestingNothing(request: HttpRequest): void {
  if (!request.params.has('suggest_field')) refuseParameters(request, SUGGESTING_PARAMETERS);
}

/** 400 for `q` and its parameters in a request whose body takes their place. */
export function refuseQueryBesideBody(request: HttpRequest): void {
  refuseParameters(request, Object.keys(QUERY_PARAMETERS));
}

/** 400 for the parameters of `q` in a request whose body takes its place; `q` itself is then left alone, as Elasticsearch does. */
export function refuseReadingBesideBody(request: HttpRequest): void {
  refuseParameters(request, READING_PARAMETERS);
}

function refuseParameters({ params, path }: HttpRequest, names: readonly string[]): void {
  const error = unknownParametersError(
    path,
    names.filter((name) => params.has(name)),
    {},
  );
  if (error !== null) throw error;
}

/** Parameters that are part of the search, beside its body. */
const SHARD_PARAMETERS: ParameterDeclarations = {
  ...QUERY_PARAMETERS,
  ...SUGGEST_PARAMETERS,
  from: 'integer',
  size: 'integer',
  sort: 'string',
  timeout: 'time',
  terminate_after: 'integer',
  track_scores: 'boolean',
  track_total_hits: 'string',
  version: 'boolean',
  seq_no_primary_term: 'boolean',
  explain: 'boolean',
  include_named_queries_score: 'boolean',
  profile: 'boolean',
  stats: 'string',
  stored_fields: 'string',
  docvalue_fields: 'string',
  _source: 'string',
  _source_includes: 'string',
  _source_excludes: 'string',
  _source_exclude_vectors: 'boolean',
};

const BATCHED_REDUCE_SIZE_MIN = 2;

const SHARED_PARAMETERS: ParameterDeclarations = {
  ...INDICES_OPTIONS_PARAMETERS,
  preference: 'string',
  routing: 'list',
};

/** Parameters of how a search runs, whatever its body says. */
const EXECUTION_PARAMETERS: ParameterDeclarations = {
  ...SHARED_PARAMETERS,
  allow_partial_search_results: 'boolean',
  scroll: 'string',
  batched_reduce_size: 'integer',
  ccs_minimize_roundtrips: withoutEffect('boolean', 'there are no other clusters to search in'),
  max_concurrent_shard_requests: 'integer',
  pre_filter_shard_size: 'integer',
  request_cache: 'boolean',
  rest_total_hits_as_int: 'boolean',
  search_type: 'string',
  typed_keys: 'boolean',
};

export const SEARCH_PARAMETERS: ParameterDeclarations = {
  ...EXECUTION_PARAMETERS,
  ...SHARD_PARAMETERS,
};

/** Parameters of a search whose body is made of a template, which is all that is searched for. */
export const TEMPLATE_PARAMETERS: ParameterDeclarations = {
  ...EXECUTION_PARAMETERS,
  explain: 'boolean',
  profile: 'boolean',
};

export const COUNT_PARAMETERS: ParameterDeclarations = {
  ...SHARED_PARAMETERS,
  ...QUERY_PARAMETERS,
  min_score: 'number',
  terminate_after: 'integer',
};

/** What is searched for, and where. */
export type SearchText = Pick<SearchInput, 'expression' | 'indicesOptions' | 'body' | 'params' | 'routings' | 'signal'>;

/** Input that search and count share; their routes declare `SEARCH_PARAMETERS` or `COUNT_PARAMETERS`. */
export function searchInputOf(request: HttpRequest): SearchText {
  const { params } = request;
  return {
    expression: params.string('index'),
    indicesOptions: indicesOptionsOf(params, READ_INDICES_OPTIONS),
    body: request.body,
    params: shardParameters(params),
    routings: params.list('routing'),
    signal: request.signal,
  };
}

function shardParameters(params: RequestParameters): Readonly<Record<string, string>> {
  const out: Record<string, string> = {};
  for (const [name, value] of params.entries()) {
    if (Object.hasOwn(SHARD_PARAMETERS, name) || name === 'min_score') out[name] = value;
  }
  return out;
}

/** `batched_reduce_size`. @throws illegal_argument_exception below 2 */
export function batchedReduceSizeOf(params: RequestParameters): number {
  const size = params.integer('batched_reduce_size') ?? DEFAULT_BATCHED_REDUCE_SIZE;
  if (size < BATCHED_REDUCE_SIZE_MIN) throw illegalArgument(`batchedReduceSize must be >= ${BATCHED_REDUCE_SIZE_MIN}`);
  return size;
}

/** `pre_filter_shard_size`; null when not given. @throws illegal_argument_exception below 1 */
export function preFilterShardSizeOf(params: RequestParameters): number | null {
  const size = params.integer('pre_filter_shard_size');
  if (size !== null && size < 1) throw illegalArgument('preFilterShardSize must be >= 1');
  return size;
}

/** `search_type=dfs_query_then_fetch`. @throws ShoalError for a type that is none */
export function sharesStatisticsOf(params: RequestParameters): boolean {
  const type = params.string('search_type');
  return type !== null && sharesStatistics(type);
}

/** `max_concurrent_shard_requests`: requests to one node at once. @throws illegal_argument_exception below 1 */
export function concurrentShardRequests(params: RequestParameters, fallback: number): number {
  const wanted = params.integer('max_concurrent_shard_requests') ?? fallback;
  if (wanted < 1) throw illegalArgument('maxConcurrentShardRequests must be >= 1');
  return wanted;
}
