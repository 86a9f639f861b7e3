/**
 * `_explain`: why one document matches a query, or does not.
 */
import { type CoordinatorContext, executeExplain } from '@shoal/coordinator';
import { RawJson } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { parseMapping } from '@shoal/schema';
import { type FetchedHit, storedFieldsOf } from '@shoal/shard-api';
import type { RestApi } from '../api/rest-api.ts';
import { filterOfIndex, sourceOf } from '../documents/render-documents.ts';
import { validationFailed } from '../documents/write-problems.ts';
import { showsTypes } from '../request/document-types.ts';
import { SINGLE_TYPE } from '../request/single-type.ts';
import { READ_SOURCE_PARAMETERS, sourceFilterOf } from '../request/source-parameters.ts';
import {
  QUERY_PARAMETERS,
  queryParametersOf,
  refuseReadingBesideBody,
  refuseReadingOfNothing,
} from './search-parameters.ts';

export const explainApi: RestApi = {
  usageName: 'explain_action',
  methods: ['GET', 'POST'],
  paths: ['/{index}/_explain/{id}', '/{index}/_doc/{id}/_explain'],
  privilege: 'indices:data/read/explain',
  task: { action: 'indices:data/read/explain', isCancellable: false },
  body: 'json',
  params: {
    ...QUERY_PARAMETERS,
    ...READ_SOURCE_PARAMETERS,
    preference: 'string',
    routing: 'string',
    stored_fields: 'list',
  },
  handler: explain,
};

async function explain(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params, body } = request;
  const hasBody = body !== null && body.length > 0;
  if (hasBody) refuseReadingBesideBody(request);
  else refuseReadingOfNothing(request);
  if (!hasBody && !params.has('q')) throw validationFailed(['query is missing']);
  const id = params.string('id') ?? '';
  const { index, hit } = await executeExplain(context, {
    index: params.string('index') ?? '',
    id,
    routing: params.string('routing'),
    body,
    params: queryParametersOf(request),
    storedFields: params.list('stored_fields'),
    signal: request.signal,
  });
  const _type = showsTypes(request) ? SINGLE_TYPE : undefined;
  if (hit === null) return valueResponse({ _index: index, _type, _id: id, matched: false }, 404);
  return valueResponse({
    _index: index,
    _type,
    _id: id,
    matched: hit.explanation?.isMatch === true,
    explanation: hit.explanation === null ? undefined : new RawJson(hit.explanation.tree),
    get: shownDocument(context, request, index, hit),
  });
}

/** The document itself, when the request says what of it is wanted. */
function shownDocument(
  { cluster }: CoordinatorContext,
  { params }: HttpRequest,
  index: string,
  hit: FetchedHit,
): unknown {
  const filter = sourceFilterOf(params);
  if (filter === null) return undefined;
  const names = params.list('stored_fields');
  const mapping = names.length === 0 ? undefined : cluster.state().metadata.indices.get(index)?.mapping;
  const fields = mapping === undefined ? null : storedFieldsOf(parseMapping(mapping), hit, names);
  const source = sourceOf(hit, filterOfIndex(cluster.state(), index, filter));
  return {
    _seq_no: hit.seqNo,
    _primary_term: hit.primaryTerm,
    _routing: hit.routing ?? undefined,
    found: true,
    _source: source === null ? undefined : new RawJson(source),
    fields: fields ?? undefined,
  };
}
