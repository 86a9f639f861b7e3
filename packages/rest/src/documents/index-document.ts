/**
 * `PUT /{index}/_doc/{id}`: indexes a document under the id of the request.
 */
import type { RestApi } from '../api/rest-api.ts';
import { INDEX_PARAMETERS, INDEX_TASK, indexAction, writeDocument } from './write-document.ts';

export const indexDocumentApi: RestApi = {
  usageName: 'document_index_action',
  methods: ['PUT', 'POST'],
  paths: ['/{index}/_doc/{id}'],
  privilege: 'indices:data/write/index',
  task: INDEX_TASK,
  isHot: true,
  body: 'json',
  params: INDEX_PARAMETERS,
  handler: (request, context) => writeDocument(request, context, indexAction(request), request.params.required('id')),
};
