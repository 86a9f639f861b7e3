/**
 * `POST /{index}/_doc`: indexes a document under a generated id.
 */
import type { HttpRequest } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { INDEX_PARAMETERS, INDEX_TASK, indexAction, writeDocument } from './write-document.ts';

export const indexDocumentWithoutIdApi: RestApi = {
  usageName: 'document_create_action_auto_id',
  methods: ['POST'],
  paths: ['/{index}/_doc'],
  privilege: 'indices:data/write/index',
  task: INDEX_TASK,
  isHot: true,
  body: 'json',
  params: INDEX_PARAMETERS,
  handler: (request, context) => writeDocument(request, context, actionOf(request), null),
};

/** An id that is made here is new: nothing but a creation can come of it, which data streams take too. */
function actionOf(request: HttpRequest): 'index' | 'create' {
  return request.params.has('op_type') ? indexAction(request) : 'create';
}
