/**
 * `GET /{index}/_source/{id}`: the document alone, without what surrounds it in `_doc`.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { RawJson, ShoalError } from '@shoal/core';
import { emptyResponse, type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { namedSourceOf } from '../request/source-parameters.ts';
import { findSource, GET_SOURCE_PARAMETERS } from './find-document.ts';
import { filterOfIndex, sourceOf } from './render-documents.ts';
import { validationFailed } from './write-problems.ts';

export const getSourceApi: RestApi = {
  usageName: 'document_get_source_action',
  methods: ['GET', 'HEAD'],
  paths: ['/{index}/_source/{id}', '/{index}/_doc/{id}/_source'],
  privilege: 'indices:data/read/get',
  task: null,
  isHot: true,
  params: GET_SOURCE_PARAMETERS,
  handler: getSource,
};

async function getSource(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { index, id, document } = await findSource(request, context);
  const filter = namedSourceOf(request.params);
  if (filter?.enabled === false) throw validationFailed(['fetching source can not be disabled']);
  const source = document === null ? null : sourceOf(document, filterOfIndex(context.cluster.state(), index, filter));
  if (source !== null) return valueResponse(new RawJson(source));
  if (request.method === 'HEAD') return emptyResponse(404);
  const what = document === null ? 'Document' : 'Source';
  throw new ShoalError('resource_not_found_exception', 404, `${what} not found [${index}]/[${id}]`);
}
