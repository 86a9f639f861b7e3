/**
 * `POST /{index}/_doc`: indexes a document under a generated id.
 */
import type { RestApi } from '../api/rest-api.ts';
import { INDEX_PARAMETERS, INDEX_TASK, indexAction, writeDocument } from './write-document.ts';

export const indexDocumentWithoutIdApi: RestApi = {
  methods: ['POST'],
  paths: ['/{index}/_doc'],
  privilege: 'indices:data/write/index',
  task: INDEX_TASK,
  isHot: true,
  body: 'json',
  params: INDEX_PARAMETERS,
  handler: (request, context) => writeDocument(request, context, indexAction(request), null),
};
