/**
 * `_mtermvectors`: term vectors of several documents. `parameters` hold for what is read behind them, and for all `ids`.
 */
import { type CoordinatorContext, executeTermVectors } from '@shoal/coordinator';
import { illegalArgument, type JsonNode } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { showsTypes } from '../request/document-types.ts';
import {
  bodyTree,
  emptyDraft,
  inputOf,
  parseError,
  problemOf,
  VECTOR_PARAMETERS,
  type VectorsDraft,
  withMembers,
  withParameters,
} from './parse-term-vectors.ts';
import { renderVectorsEntry } from './render-term-vectors.ts';
import { validationFailed } from './write-problems.ts';

export const multiTermVectorsApi: RestApi = {
  usageName: 'document_multi_term_vectors_action',
  methods: ['GET', 'POST'],
  paths: ['/_mtermvectors', '/{index}/_mtermvectors', '/{index}/_doc/_mtermvectors'],
  privilege: 'indices:data/read/mtv',
  task: { action: 'indices:data/read/mtv', isCancellable: false },
  body: 'json',
  params: { ...VECTOR_PARAMETERS, ids: 'list' },
  handler: multiTermVectors,
};

const DOCUMENTS_MAX = 10_000;

async function multiTermVectors(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const drafts = draftsOf(request);
  if (drafts.length === 0) throw validationFailed(['multi term vectors: no documents requested']);
  if (drafts.length > DOCUMENTS_MAX) throw illegalArgument(`_mtermvectors takes at most [${DOCUMENTS_MAX}] documents`);
  const problems = drafts.flatMap((draft, i) => {
    const problem = problemOf(draft);
    return problem === null ? [] : [problem, `at multi term vectors for doc ${i}`];
  });
  // The last document that is wrong is named, as the problems of the ones before it are forgotten.
  if (problems.length > 0) throw validationFailed(problems.slice(-2));
  const outcomes = await executeTermVectors(context, drafts.map(inputOf));
  const withType = showsTypes(request);
  const docs = outcomes.map((outcome, i) => renderVectorsEntry(drafts[i] ?? emptyDraft(null, null), outcome, withType));
  return valueResponse({ docs });
}

function draftsOf(request: HttpRequest): readonly VectorsDraft[] {
  const { params, body } = request;
  let template = withParameters(emptyDraft(params.string('index'), null), request);
  const ids = new Set(params.list('ids'));
  const drafts: VectorsDraft[] = [];
  for (const { name, value } of bodyTree(body)?.members ?? []) {
    if (value.kind === 'array') {
      if (name === 'docs') for (const entry of value.items) drafts.push(draftOf(template, entry));
      else if (name === 'ids') for (const id of value.items) ids.add(idOf(id));
      else throw parseError(`no parameter named [${name}] and type ARRAY`);
    } else if (value.kind === 'object') {
      if (name !== 'parameters') throw parseError(`no parameter named [${name}] and type OBJECT`);
      template = withMembers(template, value);
    } else throw parseError(`_mtermvectors: Parameter [${name}] not supported`);
  }
  return [...drafts, ...[...ids].map((id) => ({ ...template, id }))];
}

function draftOf(template: VectorsDraft, entry: JsonNode): VectorsDraft {
  if (entry.kind !== 'object') throw illegalArgument('docs array element should include an object');
  return withMembers(template, entry);
}

function idOf(node: JsonNode): string {
  if (node.kind === 'string') return node.value;
  if (node.kind === 'number') return node.text;
  throw parseError('_mtermvectors: [ids] must be texts');
}
