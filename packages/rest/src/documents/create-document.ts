/**
 * `PUT /{index}/_create/{id}`: indexes a document whose id must be new.
 */
import type { RestApi } from '../api/rest-api.ts';
import { INDEX_PARAMETERS, INDEX_TASK, writeDocument } from './write-document.ts';

export const createDocumentApi: RestApi = {
  usageName: 'document_create_action',
  methods: ['PUT', 'POST'],
  paths: ['/{index}/_create/{id}', '/{index}/_doc/{id}/_create'],
  privilege: 'indices:data/write/index',
  task: INDEX_TASK,
  isHot: true,
  body: 'json',
  params: INDEX_PARAMETERS,
  handler: (request, context) => writeDocument(request, context, 'create', request.params.required('id')),
};
