/**
 * One document written: a bulk of one item, answered in the shape of the document APIs.
 */
import { type BulkAction, BulkItems, type CoordinatorContext, executeBulk } from '@shoal/coordinator';
import { ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, type ParameterDeclarations, valueResponse } from '@shoal/http';
import { sourceFilterOfParams } from '@shoal/query';
import type { ApiTask } from '../api/rest-api.ts';
import { parameterText } from '../api/task-description.ts';
import { showsTypes } from '../request/document-types.ts';
import { errorOfWrite, renderWrite, statusOf } from './render-documents.ts';
import { updateSource } from './update-source.ts';
import {
  bulkOptionsOf,
  CONDITION_PARAMETERS,
  conditionsOf,
  SOURCE_ERROR_PARAMETER,
  WRITE_PARAMETERS,
} from './write-parameters.ts';
import { conditionProblem, ID_BYTES_MAX, idTooLong, validationFailed } from './write-problems.ts';

/** Parameters of the APIs that index a document. */
export const INDEX_PARAMETERS: ParameterDeclarations = {
  ...WRITE_PARAMETERS,
  ...CONDITION_PARAMETERS,
  ...SOURCE_ERROR_PARAMETER,
  op_type: ['index', 'create'],
  pipeline: 'string',
};

/** Task of the APIs that index a document. */
export const INDEX_TASK: ApiTask = {
  action: 'indices:data/write/index',
  isCancellable: false,
  describe: (request) => `index {[${parameterText(request, 'index')}]}`,
};

/** The action that `op_type` chooses. */
export function indexAction(request: HttpRequest): 'index' | 'create' {
  return request.params.string('op_type') === 'create' ? 'create' : 'index';
}

/** Writes one document. @param id null: one is generated */
export async function writeDocument(
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
      : conditionsOf(params, action);
  const problem = conditionProblem(action, conditions) ?? idProblem(id);
  if (problem !== null) throw validationFailed([problem]);
  const item = {
    action,
    index: params.required('index'),
    id,
    routing: params.string('routing'),
    conditions,
    requireAlias: params.boolean('require_alias', false),
    requireDataStream: params.boolean('require_data_stream', false),
    pipeline: action === 'index' || action === 'create' ? params.string('pipeline') : null,
    source: action === 'update' ? updateSource(request) : request.body,
    sourceFilter: action === 'update' ? sourceFilterOfParams(Object.fromEntries(params.entries())) : null,
  };
  const outcomes = await executeBulk(context, BulkItems.of(item), bulkOptionsOf(params));
  const outcome = outcomes.at(0);
  if (outcome.kind !== 'done') throw errorOfWrite(outcome);
  const status = statusOf(outcome);
  const location = `/${encodeURIComponent(outcome.index)}/_doc/${encodeURIComponent(outcome.id)}`;
  return valueResponse(renderWrite(outcome, showsTypes(request)), status, status === 201 ? { Location: location } : {});
}

function idProblem(id: string | null): string | null {
  const bytes = id === null ? 0 : Buffer.byteLength(id);
  return id !== null && bytes > ID_BYTES_MAX ? idTooLong(id, bytes) : null;
}
