/**
 * `POST /{index}/_update_by_query`: indexes the documents that a search finds anew, each only as it was found, so that they get
 * what their mapping says now.
 */
import {
  type BulkItem,
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
import { HitScript } from './script-of-hit.ts';
import { sourceOfHit } from './source-of-hit.ts';

const ACTION = 'indices:data/write/update/byquery';

export const updateByQueryApi: RestApi = {
  usageName: 'update_by_query_action',
  methods: ['POST'],
  paths: ['/{index}/_update_by_query', '/{index}/_doc/_update_by_query'],
  privilege: ACTION,
  task: { action: ACTION, isCancellable: true, outlivesClient: true, describe },
  body: 'json',
  params: { ...DOCUMENTS_PARAMETERS, pipeline: 'string' },
  handler: updateByQuery,
};

async function updateByQuery(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const documents = await documentsRequestOf(request, context, 'update');
  const pipeline = request.params.string('pipeline');
  const askedWith = (script: HitScript | null): ByQueryRequest => ({
    ...documents,
    kind: 'update',
    action: ACTION,
    description: describe(request),
    open: (own, source) => new ScrolledHits(own, documents.search, source),
    writeOf: (hit) => {
      const item = rewriteOf(hit, pipeline);
      return script === null ? { kind: 'write', item } : script.writeOf(hit, item);
    },
  });
  return answerOrDetach(request, context, async () => {
    // A script that does not compile fails the task, also where nobody waits for it.
    const script = documents.script === null ? null : new HitScript(documents.script, false);
    return byQueryAnswer(await executeByQuery(context, askedWith(script)));
  });
}

function describe(request: HttpRequest): string {
  return `update-by-query [${parameterText(request, 'index')}]`;
}

function rewriteOf(hit: SourceHit, pipeline: string | null): BulkItem {
  const { index, id, routing, seqNo, primaryTerm } = hit;
  return {
    ...NO_EXTRAS,
    action: 'index',
    index,
    id,
    routing,
    conditions: { ...NO_CONDITIONS, ifSeqNo: seqNo, ifPrimaryTerm: primaryTerm },
    pipeline,
    source: sourceOfHit(hit),
  };
}
