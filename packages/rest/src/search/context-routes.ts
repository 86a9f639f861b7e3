/**
 * The routes of readers that outlive one search: scrolls, and points in time in the paths of both products.
 */

import {
  type CoordinatorContext,
  executeScroll,
  freeAllContexts,
  freeHeldContexts,
  keepAliveMs,
  openPointInTime,
  READ_INDICES_OPTIONS,
  readContextId,
  renderShardCounts,
  requireIds,
  validationError,
} from '@shoal/coordinator';
import { illegalArgument, parseJson, parsingException } from '@shoal/core';
import { type HttpRequest, type HttpResponse, type Route, valueResponse } from '@shoal/http';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { renderSearch } from './render-search.ts';

const ALL = '_all';

export const contextRoutes: readonly Route<CoordinatorContext>[] = [
  {
    methods: ['GET', 'POST'],
    paths: ['/_search/scroll', '/_search/scroll/{scroll_id}'],
    body: 'json',
    params: { scroll: 'string', scroll_id: 'string', rest_total_hits_as_int: 'boolean' },
    handler: scroll,
  },
  {
    methods: ['DELETE'],
    paths: ['/_search/scroll', '/_search/scroll/{scroll_id}'],
    body: 'json',
    params: { scroll_id: 'list' },
    handler: clearScroll,
  },
  {
    methods: ['POST'],
    paths: ['/{index}/_pit', '/{index}/_search/point_in_time'],
    body: 'json',
    params: {
      ...INDICES_OPTIONS_PARAMETERS,
      keep_alive: 'string',
      preference: 'string',
      routing: 'list',
      allow_partial_search_results: 'boolean',
      allow_partial_pit_creation: 'boolean',
    },
    handler: openReader,
  },
  { methods: ['DELETE'], paths: ['/_pit'], body: 'json', params: {}, handler: closePointInTime },
  {
    methods: ['DELETE'],
    paths: ['/_search/point_in_time', '/_search/point_in_time/_all'],
    body: 'json',
    params: {},
    handler: deletePointsInTime,
  },
];

type Body = Readonly<Record<string, unknown>>;

function bodyOf({ body }: HttpRequest): Body {
  if (body === null) return {};
  const value = parseJson(body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body;
  throw parsingException('Malformed content, must start with an object', { line: 1, col: 1 });
}

function refuseOthers(body: Body, known: readonly string[]): void {
  const other = Object.keys(body).find((name) => !known.includes(name));
  if (other === undefined) return;
  throw illegalArgument(`Unknown parameter [${other}] in request body or parameter is of the wrong type`);
}

/** One id, several in a list, or several with commas. */
function idsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split(',').filter((id) => id !== '');
  if (Array.isArray(value) && value.every((id) => typeof id === 'string')) return value;
  if (value === undefined) return [];
  throw illegalArgument('ids must be a string or an array of strings');
}

async function scroll(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const body = bodyOf(request);
  refuseOthers(body, ['scroll_id', 'scroll']);
  const scrollId = typeof body.scroll_id === 'string' ? body.scroll_id : params.string('scroll_id');
  const keepAlive = typeof body.scroll === 'string' ? body.scroll : params.string('scroll');
  if (scrollId === null || scrollId === '') throw validationError(['scrollId is missing']);
  const outcome = await executeScroll(context, {
    scrollId,
    keepAliveMs: keepAlive === null ? null : keepAliveMs(context.cluster.state(), keepAlive, 'scroll'),
    signal: request.signal,
  });
  const totalHitsAsInt = params.boolean('rest_total_hits_as_int', false);
  const shown = renderSearch(outcome, { totalHitsAsInt, typedKeys: false });
  return valueResponse(await context.turns.run(shown, request.signal));
}

async function clearScroll(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const body = bodyOf(request);
  refuseOthers(body, ['scroll_id']);
  const inBody = idsOf(body.scroll_id);
  const ids = requireIds(inBody.length > 0 ? inBody : request.params.list('scroll_id'), 'scroll');
  const freed = ids.includes(ALL)
    ? await freeAllContexts(context, 'scroll')
    : await freeHeldContexts(
        context,
        ids.map((id) => readContextId('scroll', id)),
      );
  return valueResponse({ succeeded: true, num_freed: freed }, freed > 0 || ids.includes(ALL) ? 200 : 404);
}

async function openReader(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const keepAlive = params.string('keep_alive');
  if (keepAlive === null) throw validationError(['[keep_alive] is not specified']);
  const isOther = request.path.endsWith('/point_in_time');
  const opened = await openPointInTime(context, {
    expression: params.string('index'),
    indicesOptions: indicesOptionsOf(params, READ_INDICES_OPTIONS),
    routings: params.list('routing'),
    keepAliveMs: keepAliveMs(context.cluster.state(), keepAlive, 'keep_alive'),
    allowPartial: isOther
      ? params.boolean('allow_partial_pit_creation', true)
      : params.boolean('allow_partial_search_results', false),
  });
  const shards = renderShardCounts(opened.shards);
  if (!isOther) return valueResponse({ id: opened.id, _shards: shards });
  return valueResponse({ pit_id: opened.id, _shards: shards, creation_time: opened.createdAtMs });
}

async function closePointInTime(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const body = bodyOf(request);
  refuseOthers(body, ['id']);
  const [id] = idsOf(body.id);
  if (id === undefined) throw illegalArgument('Required [id]');
  const freed = await freeHeldContexts(context, [readContextId('pit', id)]);
  return valueResponse({ succeeded: true, num_freed: freed }, freed > 0 ? 200 : 404);
}

async function deletePointsInTime(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  if (request.path.endsWith(`/${ALL}`)) {
    await freeAllContexts(context, 'reader');
    return valueResponse({ pits: [] });
  }
  const body = bodyOf(request);
  refuseOthers(body, ['pit_id']);
  const ids = requireIds(idsOf(body.pit_id), 'pit');
  const pits = await Promise.all(
    ids.map(async (id) => {
      await freeHeldContexts(context, [readContextId('pit', id)]);
      // One that is gone already is gone all the same.
      return { successful: true, pit_id: id };
    }),
  );
  return valueResponse({ pits });
}
