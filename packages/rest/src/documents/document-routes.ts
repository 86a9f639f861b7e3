/**
 * The routes of single documents: index, create, get, delete, update, and their sources.
 */

import {
  type BulkAction,
  BulkItems,
  type CoordinatorContext,
  type DocumentOutcome,
  executeBulk,
  executeGet,
} from '@shoal/coordinator';
import { RawJson, ShoalError } from '@shoal/core';
import {
  emptyResponse,
  type HttpRequest,
  type HttpResponse,
  type ParameterDeclarations,
  type Route,
  valueResponse,
} from '@shoal/http';
import { type SourceFilter, sourceFilterOfParams } from '@shoal/query';
import { SOURCE_PARAMETERS, sourceFilterOf } from '../request/source-parameters.ts';
import { renderDocument, renderWrite, sourceOf, statusOf } from './render-documents.ts';
import { refusePipeline } from './write-options.ts';
import { bulkOptionsOf, CONDITION_PARAMETERS, conditionsOf, WRITE_PARAMETERS } from './write-parameters.ts';
import { conditionProblem, ID_BYTES_MAX, idTooLong, validationFailed } from './write-problems.ts';

const GET_PARAMETERS: ParameterDeclarations = {
  ...SOURCE_PARAMETERS,
  preference: 'string',
  realtime: 'boolean',
  refresh: 'boolean',
  routing: 'string',
  stored_fields: 'list',
  version: 'long',
  version_type: 'string',
};

const INDEX_PARAMETERS: ParameterDeclarations = {
  ...WRITE_PARAMETERS,
  ...CONDITION_PARAMETERS,
  op_type: ['index', 'create'],
  pipeline: 'string',
};

export const documentRoutes: readonly Route<CoordinatorContext>[] = [
  {
    methods: ['PUT', 'POST'],
    paths: ['/{index}/_doc/{id}'],
    isHot: true,
    body: 'json',
    params: INDEX_PARAMETERS,
    handler: (request, context) => writeDocument(request, context, indexAction(request), idOf(request)),
  },
  {
    methods: ['POST'],
    paths: ['/{index}/_doc'],
    isHot: true,
    body: 'json',
    params: INDEX_PARAMETERS,
    handler: (request, context) => writeDocument(request, context, indexAction(request), null),
  },
  {
    methods: ['PUT', 'POST'],
    paths: ['/{index}/_create/{id}'],
    isHot: true,
    body: 'json',
    params: INDEX_PARAMETERS,
    handler: (request, context) => writeDocument(request, context, 'create', idOf(request)),
  },
  {
    methods: ['DELETE'],
    paths: ['/{index}/_doc/{id}'],
    isHot: true,
    params: { ...WRITE_PARAMETERS, ...CONDITION_PARAMETERS },
    handler: (request, context) => writeDocument(request, context, 'delete', idOf(request)),
  },
  {
    methods: ['POST'],
    paths: ['/{index}/_update/{id}'],
    isHot: true,
    body: 'json',
    params: {
      ...WRITE_PARAMETERS,
      if_seq_no: 'long',
      if_primary_term: 'long',
      lang: 'string',
      retry_on_conflict: 'integer',
      ...SOURCE_PARAMETERS,
    },
    handler: (request, context) => writeDocument(request, context, 'update', idOf(request)),
  },
  {
    methods: ['GET', 'HEAD'],
    paths: ['/{index}/_doc/{id}'],
    isHot: true,
    params: GET_PARAMETERS,
    handler: getDocument,
  },
  {
    methods: ['GET', 'HEAD'],
    paths: ['/{index}/_source/{id}'],
    isHot: true,
    params: GET_PARAMETERS,
    handler: getSource,
  },
];

function indexAction(request: HttpRequest): 'index' | 'create' {
  return request.params.string('op_type') === 'create' ? 'create' : 'index';
}

function idOf(request: HttpRequest): string {
  return request.params.required('id');
}

/** @param id null: one is made */
async function writeDocument(
  request: HttpRequest,
  context: CoordinatorContext,
  action: BulkAction,
  id: string | null,
): Promise<HttpResponse> {
  const { params } = request;
  const hasBody = action !== 'delete';
  if (hasBody && request.body === null) throw new ShoalError('parse_exception', 400, 'request body is required');
  const conditions =
    action === 'update'
      ? {
          ifSeqNo: params.long('if_seq_no'),
          ifPrimaryTerm: params.long('if_primary_term'),
          version: null,
          versionType: 'internal' as const,
        }
      : conditionsOf(params);
  const problem = conditionProblem(action, conditions) ?? idProblem(id);
  if (problem !== null) throw validationFailed([problem]);
  if (action === 'index' || action === 'create') refusePipeline(params.string('pipeline'));
  const item = {
    action,
    index: params.required('index'),
    id,
    routing: params.string('routing'),
    conditions,
    requireAlias: params.boolean('require_alias', false),
    source: request.body,
    sourceFilter: action === 'update' ? sourceFilterOfParams(Object.fromEntries(params.entries())) : null,
  };
  const outcomes = await executeBulk(context, BulkItems.of(item), bulkOptionsOf(params));
  const outcome = outcomes.at(0);
  if (outcome.kind !== 'done') throw outcome.error;
  const status = statusOf(outcome);
  const location = `/${encodeURIComponent(outcome.index)}/_doc/${encodeURIComponent(outcome.id)}`;
  return valueResponse(renderWrite(outcome), status, status === 201 ? { Location: location } : {});
}

function idProblem(id: string | null): string | null {
  const bytes = id === null ? 0 : Buffer.byteLength(id);
  return id !== null && bytes > ID_BYTES_MAX ? idTooLong(id, bytes) : null;
}

interface FoundDocument {
  readonly outcome: Extract<DocumentOutcome, { kind: 'answered' }>;
  readonly filter: SourceFilter | null;
}

async function find(request: HttpRequest, context: CoordinatorContext): Promise<FoundDocument> {
  const { params } = request;
  const key = { index: params.required('index'), id: params.required('id'), routing: params.string('routing') };
  const options = { realtime: params.boolean('realtime', true), refresh: params.boolean('refresh', false) };
  const found = await executeGet(context, key, options);
  const wanted = params.long('version');
  const version = found.document?.version ?? null;
  if (wanted !== null && version !== null && version !== wanted) {
    throw new ShoalError(
      'version_conflict_engine_exception',
      409,
      `[${key.id}]: version conflict, current version [${version}] is different than the one provided [${wanted}]`,
      { metadata: { index: found.index } },
    );
  }
  return { outcome: found, filter: sourceFilterOf(params) };
}

async function getDocument(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { outcome, filter } = await find(request, context);
  const view = { filter, storedFields: request.params.list('stored_fields') };
  const body = renderDocument(context.cluster.state(), outcome, view);
  return valueResponse(body, outcome.document === null ? 404 : 200);
}

async function getSource(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { outcome, filter } = await find(request, context);
  const { index, id, document } = outcome;
  if (filter?.enabled === false) throw validationFailed(['fetching source can not be disabled']);
  const source = document === null ? null : sourceOf(document, filter);
  if (source !== null) return valueResponse(new RawJson(source));
  if (request.method === 'HEAD') return emptyResponse(404);
  throw new ShoalError('resource_not_found_exception', 404, `Document not found [${index}]/[${id}]`);
}
