/**
 * `POST /_reindex`: copies the documents that a search finds into another index.
 */
import {
  type BulkItem,
  type ByQueryRequest,
  type CoordinatorContext,
  executeByQuery,
  findWriteIndex,
  keepAliveMs,
  NO_EXTRAS,
  READ_INDICES_OPTIONS,
  RemoteHits,
  resolveIndexNames,
  ScrolledHits,
  type SourceHit,
} from '@shoal/coordinator';
import { assert, ShoalError } from '@shoal/core';
import type { HttpRequest, HttpResponse } from '@shoal/http';
import type { SearchRequest } from '@shoal/query';
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
import {
  inSource,
  type ReindexDestination,
  type ReindexMembers,
  reindexProblems,
  routingOfCopy,
  sourceExpression,
  splitReindex,
} from './reindex-body.ts';
import { checkRemoteAllowed, shownRemote } from './remote-source.ts';
import { HitScript } from './script-of-hit.ts';
import { sourceOfHit } from './source-of-hit.ts';

const ACTION = 'indices:data/write/reindex';

export const reindexApi: RestApi = {
  usageName: 'reindex_action',
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
    searched: { expression: sourceExpression, indicesOptions: READ_INDICES_OPTIONS },
    split: splitReindex,
    located: ({ sourceEnd }, read) => inSource(sourceEnd, read),
  });
  const { destination } = own;
  const wanted = slicesOf(params);
  const unsourced = search.source.enabled ? [] : ['_source:false is not supported in this context'];
  refuseProblems([...searchProblems(search, wanted), ...unsourced, ...reindexProblems(own, wanted)]);
  const documentsMax = documentsMaxOf(own.documentsMax, params.integer('max_docs'));
  const sized = own.hasSize ? search : { ...search, size: SCROLL_SIZE_DEFAULT };
  const source = own.remote === null ? localSource(request, context, own, sized) : null;
  const { open, slices, shown } = source ?? remoteSource(request, context, own, sized);
  checkDocumentsMax(documentsMax, slices);
  const requireAlias = params.boolean('require_alias', false);
  const description = `reindex from ${shown} to [${destination.index}]`;
  if (context.task !== null) context.task.description = description;
  const askedWith = (script: HitScript | null): ByQueryRequest => ({
    ...sharedOptionsOf(params),
    kind: 'reindex',
    action: ACTION,
    description,
    open,
    writeOf: (hit) => {
      const item = copyOf(hit, destination, requireAlias);
      return script === null ? { kind: 'write', item } : script.writeOf(hit, item);
    },
    documentsMax,
    slices,
    ownSlice: search.slice,
    passesConflicts: own.passesConflicts,
  });
  return answerOrDetach(request, context, async () => {
    // A script that does not compile fails the task, also where nobody waits for it.
    const script = own.script === null ? null : new HitScript(own.script, true);
    return byQueryAnswer(await executeByQuery(context, askedWith(script)));
  });
}

/** Where the documents come from. */
interface ReindexSource {
  readonly open: ByQueryRequest['open'];
  readonly slices: number;
  /** Name of it in the description of the task. */
  readonly shown: string;
}

function localSource(
  { params }: HttpRequest,
  context: CoordinatorContext,
  { indices, destination }: ReindexMembers,
  search: SearchRequest,
): ReindexSource {
  const expression = indices.join(',');
  const nowMs = context.runtime.clock.wallMs();
  const names = resolveIndexNames(context.cluster.state(), expression, READ_INDICES_OPTIONS, nowMs);
  refuseOwnSource(context, names, destination);
  const scrolled = scrollOf(context, search, {
    expression,
    indicesOptions: READ_INDICES_OPTIONS,
    routings: [],
    sharesStatistics: false,
    usesRequestCache: null,
    keepAlive: params.string('scroll') ?? KEEP_ALIVE_DEFAULT,
    source: search.source,
  });
  return {
    open: (owner, source) => new ScrolledHits(owner, scrolled, source),
    slices: slicesOf(params) ?? autoSlices(context, names),
    shown: `[${indices.join(', ')}]`,
  };
}

function remoteSource(
  { params }: HttpRequest,
  context: CoordinatorContext,
  { indices, remote }: ReindexMembers,
  { size }: SearchRequest,
): ReindexSource {
  assert(remote !== null, 'a copy from this cluster has no remote source');
  const { cluster, search } = remote;
  checkRemoteAllowed(cluster, context.settings.remoteReindexHosts);
  const keepAlive = params.string('scroll') ?? KEEP_ALIVE_DEFAULT;
  const asked = { cluster, indices, body: search, size, keepAliveMs: keepAliveMs(context, keepAlive, 'scroll') };
  return {
    open: (_owner, source) => new RemoteHits(asked, source),
    slices: 1,
    shown: `[${shownRemote(remote)}][${indices.join(', ')}]`,
  };
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
    ...NO_EXTRAS,
    action,
    index,
    id: hit.id,
    routing: routingOfCopy(routing, hit.routing),
    conditions: versionType === 'internal' ? NO_CONDITIONS : { ...NO_CONDITIONS, version: hit.version, versionType },
    requireAlias,
    pipeline,
    source: sourceOfHit(hit),
  };
}
