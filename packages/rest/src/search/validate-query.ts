/**
 * `_validate/query`: whether a query can be run.
 */
import {
  type CoordinatorContext,
  executeValidate,
  READ_INDICES_OPTIONS,
  renderShardCounts,
  type ShardValidation,
} from '@shoal/coordinator';
import { isShoalError, type ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { QUERY_PARAMETERS, queryParametersOf, refuseReadingOfNothing } from './search-parameters.ts';

export const validateQueryApi: RestApi = {
  usageName: 'validate_query_action',
  methods: ['GET', 'POST'],
  paths: ['/_validate/query', '/{index}/_validate/query', '/{index}/_doc/_validate/query'],
  privilege: 'indices:admin/validate/query',
  task: { action: 'indices:admin/validate/query', isCancellable: false },
  body: 'json',
  params: {
    ...INDICES_OPTIONS_PARAMETERS,
    ...QUERY_PARAMETERS,
    all_shards: 'boolean',
    explain: 'boolean',
    rewrite: 'boolean',
  },
  handler: validateQuery,
};

async function validateQuery(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  refuseReadingOfNothing(request);
  const asksAllShards = params.boolean('all_shards', false);
  const isExplained = params.boolean('explain', false) || params.boolean('rewrite', false);
  const outcome = await executeValidate(context, {
    expression: params.string('index'),
    indicesOptions: indicesOptionsOf(params, READ_INDICES_OPTIONS),
    body: request.body,
    params: queryParametersOf(request),
    routings: [],
    signal: request.signal,
    asksAllShards,
    isRewritten: params.boolean('rewrite', false),
  });
  if (isShoalError(outcome)) return valueResponse({ valid: false, error: isExplained ? textOf(outcome) : undefined });
  const { shards, validations } = outcome;
  const isValid = validations.every(({ error }) => error === null);
  return valueResponse({
    _shards: { ...renderShardCounts(shards), skipped: undefined },
    valid: isValid,
    explanations: isExplained ? validations.map((one) => shown(one, asksAllShards)) : undefined,
  });
}

function shown({ index, shard, explanation, error }: ShardValidation, namesShard: boolean): object {
  return {
    index,
    shard: namesShard ? shard : undefined,
    valid: error === null,
    error: error === null ? undefined : `[${nameOf(error)}] ${detailedText(error)}`,
    explanation: explanation ?? undefined,
  };
}

/** Index and its uuid, where the error names them. */
function nameOf({ metadata }: ShoalError): string {
  return `${String(metadata.index ?? '')}/${String(metadata.index_uuid ?? '')}`;
}

/** What is wrong with the body, in the form that Elasticsearch prints. */
function textOf(error: ShoalError): string {
  return error.causedBy === undefined ? `${classPath(error)}: ${error.reason}` : detailedText(error);
}

/** An exception with the causes behind it, and then each cause with those behind it. */
function detailedText(error: ShoalError): string {
  const { causedBy } = error;
  if (causedBy === undefined) return nestedText(error);
  const own = `${nestedText(error)};; `;
  return own + (JAVA_PATHS.has(causedBy.type) ? `${classPath(causedBy)}: ${causedBy.reason}` : detailedText(causedBy));
}

function nestedText(error: ShoalError): string {
  const own = `${classOf(error)}[${error.reason}]`;
  return error.causedBy === undefined ? own : `${own}; nested: ${nestedText(error.causedBy)}`;
}

/** Packages of exceptions that do not know their causes. */
const JAVA_PATHS: ReadonlyMap<string, string> = new Map([
  ['date_time_exception', 'java.time'],
  ['date_time_parse_exception', 'java.time.format'],
  ['illegal_argument_exception', 'java.lang'],
  ['illegal_state_exception', 'java.lang'],
  ['named_object_not_found_exception', 'org.elasticsearch.common.xcontent'],
  ['number_format_exception', 'java.lang'],
  ['unsupported_operation_exception', 'java.lang'],
  ['x_content_parse_exception', 'org.elasticsearch.common.xcontent'],
]);

function classPath(error: ShoalError): string {
  return `${JAVA_PATHS.get(error.type) ?? 'org.elasticsearch.common'}.${classOf(error)}`;
}

/** `query_shard_exception` as `QueryShardException`. */
function classOf({ type, reason }: ShoalError): string {
  // The grammar of query texts has an exception of its own, of the same type.
  if (type === 'parse_exception' && /^(?:Cannot parse '|Encountered ")/.test(reason ?? '')) return 'ParseException';
  if (type === 'parse_exception') return 'ElasticsearchParseException';
  return type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
