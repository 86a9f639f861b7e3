/**
 * `POST /_reindex`: copies the documents that a search finds into another index.
 */
import {
  type BulkItem,
  type ByQueryRequest,
  type CoordinatorContext,
  executeByQuery,
  findWriteIndex,
  READ_INDICES_OPTIONS,
  resolveIndexNames,
  ScrolledHits,
  type SourceHit,
} from '@shoal/coordinator';
import { assert, ShoalError } from '@shoal/core';
import type { HttpRequest, HttpResponse } from '@shoal/http';
import { NO_CONDITIONS } from '@shoal/shard-api';
import type { RestApi } from '../api/rest-api.ts';
import { answerOrDetach } from '../tasks/detached-task.ts';
import { byQueryAnswer } from './by-query-answer.ts';
import {
  autoSlices,
  BY_QUERY_PARAMETERS,
  checkDocumentsMax,
  documentsMaxOf,
  KEEP_ALIVE_DEFAULT,
  refuseProblems,
  SCROLL_SIZE_DEFAULT,
  searchProblems,
  sharedOptionsOf,
  slicesOf,
} from './by-query-options.ts';
import { readByQueryBody, scrollOf } from './by-query-search.ts';
import { inSource, type ReindexDestination, reindexProblems, routingOfCopy, splitReindex } from './reindex-body.ts';
import { HitScript } from './script-of-hit.ts';
import { sourceOfHit } from './source-of-hit.ts';

const ACTION = 'indices:data/write/reindex';

export const reindexApi: RestApi = {
  methods: ['POST'],
  paths: ['/_reindex'],
  privilege: ACTION,
  task: { action: ACTION, isCancellable: true, outlivesClient: true },
  body: 'json',
  params: { ...BY_QUERY_PARAMETERS, require_alias: 'boolean' },
  handler: reindex,
};

async function reindex(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  if (request.body === null || request.body.length === 0) {
    throw new ShoalError('parse_exception', 400, 'request body is required');
  }
  const { own, request: search } = await readByQueryBody(context, {
    body: request.body,
    params: {},
    signal: request.signal,
    split: splitReindex,
    located: ({ sourceEnd }, read) => inSource(sourceEnd, read),
  });
  const { destination, indices } = own;
  const wanted = slicesOf(params);
  const unsourced = search.source.enabled ? [] : ['_source:false is not supported in this context'];
  refuseProblems([...searchProblems(search, wanted), ...unsourced, ...reindexProblems(own)]);
  const documentsMax = documentsMaxOf(own.documentsMax, params.integer('max_docs'));
  const expression = indices.join(',');
  const names = resolveIndexNames(
    context.cluster.state(),
    expression,
    READ_INDICES_OPTIONS,
    context.runtime.clock.wallMs(),
  );
  refuseOwnSource(context, names, destination);
  const slices = wanted ?? autoSlices(context, names);
  checkDocumentsMax(documentsMax, slices);
  const scrolled = scrollOf(context, own.hasSize ? search : { ...search, size: SCROLL_SIZE_DEFAULT }, {
    expression,
    indicesOptions: READ_INDICES_OPTIONS,
    routings: [],
    sharesStatistics: false,
    usesRequestCache: null,
    keepAlive: params.string('scroll') ?? KEEP_ALIVE_DEFAULT,
    source: search.source,
  });
  const requireAlias = params.boolean('require_alias', false);
  const description = `reindex from [${indices.join(', ')}] to [${destination.index}]`;
  if (context.task !== null) context.task.description = description;
  const script = own.script === null ? null : new HitScript(own.script, true);
  const asked: ByQueryRequest = {
    ...sharedOptionsOf(params),
    kind: 'reindex',
    action: ACTION,
    description,
    open: (owner, source) => new ScrolledHits(owner, scrolled, source),
    writeOf: (hit) => {
      const item = copyOf(hit, destination, requireAlias);
      return script === null ? { kind: 'write', item } : script.writeOf(hit, item);
    },
    documentsMax,
    slices,
    ownSlice: search.slice,
    passesConflicts: own.passesConflicts,
  };
  return answerOrDetach(request, context, async () => byQueryAnswer(await executeByQuery(context, asked)));
}

/** An index that grows while it is copied into itself is never copied whole. */
function refuseOwnSource(context: CoordinatorContext, sources: readonly string[], { index }: ReindexDestination): void {
  const nowMs = context.runtime.clock.wallMs();
  const target = findWriteIndex(context.cluster.state(), index ?? '', nowMs)?.index.name;
  if (target === undefined || !sources.includes(target)) return;
  refuseProblems([`reindex cannot write into an index its reading from [${target}]`]);
}

function copyOf(hit: SourceHit, destination: ReindexDestination, requireAlias: boolean): BulkItem {
  const { index, action, versionType, routing, pipeline } = destination;
  assert(index !== null, 'a copy goes nowhere');
  return {
    action,
    index,
    id: hit.id,
    routing: routingOfCopy(routing, hit.routing),
    conditions: versionType === 'internal' ? NO_CONDITIONS : { ...NO_CONDITIONS, version: hit.version, versionType },
    requireAlias,
    requireDataStream: false,
    sourceFilter: null,
    pipeline,
    source: sourceOfHit(hit),
  };
}
