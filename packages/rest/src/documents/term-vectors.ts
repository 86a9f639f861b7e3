/**
 * `_termvectors`: the terms of one document's fields, with their places and statistics.
 */
import { type CoordinatorContext, executeOneTermVectors } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { showsTypes } from '../request/document-types.ts';
import {
  bodyTree,
  emptyDraft,
  inputOf,
  problemOf,
  VECTOR_PARAMETERS,
  withMembers,
  withParameters,
} from './parse-term-vectors.ts';
import { renderVectors } from './render-term-vectors.ts';
import { validationFailed } from './write-problems.ts';

export const termVectorsApi: RestApi = {
  usageName: 'document_term_vectors_action',
  methods: ['GET', 'POST'],
  paths: [
    '/{index}/_termvectors',
    '/{index}/_termvectors/{id}',
    '/{index}/_doc/_termvectors',
    '/{index}/_doc/{id}/_termvectors',
  ],
  privilege: 'indices:data/read/tv',
  task: { action: 'indices:data/read/tv', isCancellable: false },
  body: 'json',
  params: VECTOR_PARAMETERS,
  handler: termVectors,
};

async function termVectors(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const tree = bodyTree(request.body);
  const empty = emptyDraft(params.required('index'), params.string('id'));
  const draft = withParameters(tree === null ? empty : withMembers(empty, tree), request);
  const problem = problemOf(draft);
  if (problem !== null) throw validationFailed([problem]);
  const outcome = await executeOneTermVectors(context, inputOf(draft));
  return valueResponse(renderVectors(draft, outcome, showsTypes(request)));
}
