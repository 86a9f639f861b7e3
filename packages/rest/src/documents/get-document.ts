/**
 * `GET /{index}/_doc/{id}`.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { showsTypes } from '../request/document-types.ts';
import { findDocument, GET_PARAMETERS } from './find-document.ts';
import { renderDocument } from './render-documents.ts';

export const getDocumentApi: RestApi = {
  usageName: 'document_get_action',
  methods: ['GET', 'HEAD'],
  paths: ['/{index}/_doc/{id}'],
  privilege: 'indices:data/read/get',
  task: { action: 'indices:data/read/get', isCancellable: false },
  isHot: true,
  params: GET_PARAMETERS,
  handler: getDocument,
};

async function getDocument(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { outcome, filter } = await findDocument(request, context);
  const view = { filter, storedFields: request.params.list('stored_fields'), withType: showsTypes(request) };
  const body = renderDocument(context.cluster.state(), outcome, view);
  return valueResponse(body, outcome.document === null ? 404 : 200);
}
