/**
 * `POST /{index}/_delete_by_query`: deletes the documents that a search finds, each only as it was found.
 */
import {
  type ByQueryRequest,
  type CoordinatorContext,
  executeByQuery,
  NO_EXTRAS,
  ScrolledHits,
  type SourceHit,
} from '@shoal/coordinator';
import type { HttpRequest, HttpResponse } from '@shoal/http';
import { NO_CONDITIONS } from '@shoal/shard-api';
import type { RestApi } from '../api/rest-api.ts';
import { parameterText } from '../api/task-description.ts';
import { answerOrDetach } from '../tasks/detached-task.ts';
import { byQueryAnswer } from './by-query-answer.ts';
import { DOCUMENTS_PARAMETERS, documentsRequestOf } from './documents-of-index.ts';

const ACTION = 'indices:data/write/delete/byquery';

export const deleteByQueryApi: RestApi = {
  usageName: 'delete_by_query_action',
  methods: ['POST'],
  paths: ['/{index}/_delete_by_query', '/{index}/_doc/_delete_by_query'],
  privilege: ACTION,
  task: { action: ACTION, isCancellable: true, outlivesClient: true, describe },
  body: 'json',
  params: DOCUMENTS_PARAMETERS,
  handler: deleteByQuery,
};

async function deleteByQuery(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const documents = await documentsRequestOf(request, context, 'delete');
  const asked: ByQueryRequest = {
    ...documents,
    kind: 'delete',
    action: ACTION,
    description: describe(request),
    open: (own, source) => new ScrolledHits(own, documents.search, source),
    writeOf: (hit) => ({ kind: 'write', item: deletionOf(hit) }),
  };
  return answerOrDetach(request, context, async () => byQueryAnswer(await executeByQuery(context, asked)));
}

function describe(request: HttpRequest): string {
  return `delete-by-query [${parameterText(request, 'index')}]`;
}

function deletionOf({ index, id, routing, seqNo, primaryTerm }: SourceHit) {
  return {
    ...NO_EXTRAS,
    action: 'delete',
    index,
    id,
    routing,
    conditions: { ...NO_CONDITIONS, ifSeqNo: seqNo, ifPrimaryTerm: primaryTerm },
    source: null,
  } as const;
}
