/**
 * The routes of many documents at once: `_bulk` and `_mget`.
 */

import { type CoordinatorContext, executeBulk, executeMultiGet, WorkTurns } from '@shoal/coordinator';
import { RawJson, ShoalError } from '@shoal/core';
import { filteredResponse, type HttpRequest, type HttpResponse, type Route, valueResponse } from '@shoal/http';
import { sourceFilterOfParams } from '@shoal/query';
import { parseMultiGet } from '../documents/parse-multi-get.ts';
import { renderMultiGetEntry } from '../documents/render-documents.ts';
import { refusePipeline } from '../documents/write-options.ts';
import { bulkOptionsOf, WRITE_PARAMETERS } from '../documents/write-parameters.ts';
import { SOURCE_PARAMETERS, sourceFilterOf } from '../request/source-parameters.ts';
import { parseBulk } from './parse-bulk.ts';
import { renderBulk } from './render-bulk.ts';

export const multiDocumentRoutes: readonly Route<CoordinatorContext>[] = [
  {
    methods: ['POST', 'PUT'],
    paths: ['/_bulk', '/{index}/_bulk'],
    isHot: true,
    body: 'ndjson',
    params: { ...WRITE_PARAMETERS, ...SOURCE_PARAMETERS, pipeline: 'string', require_data_stream: 'boolean' },
    handler: bulk,
  },
  {
    methods: ['GET', 'POST'],
    paths: ['/_mget', '/{index}/_mget'],
    isHot: true,
    body: 'json',
    params: {
      preference: 'string',
      realtime: 'boolean',
      refresh: 'boolean',
      routing: 'string',
      stored_fields: 'list',
      ...SOURCE_PARAMETERS,
    },
    handler: multiGet,
  },
];

async function bulk(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { clock } = context.runtime;
  const startedMs = clock.monotonicMs();
  const { params } = request;
  if (request.body === null) throw new ShoalError('parse_exception', 400, 'request body is required');
  refusePipeline(params.string('pipeline'));
  const turns = new WorkTurns(context.runtime.sched);
  const defaults = {
    index: params.string('index'),
    routing: params.string('routing'),
    requireAlias: params.boolean('require_alias', false),
    sourceFilter: sourceFilterOfParams(Object.fromEntries(params.entries())),
  };
  const items = await parseBulk(request.body, defaults, turns);
  const outcomes = await executeBulk(context, items, bulkOptionsOf(params));
  const tookMs = Math.round(clock.monotonicMs() - startedMs);
  const bytes = await renderBulk(outcomes, { tookMs, filters: params.list('filter_path') }, turns);
  return filteredResponse(new RawJson(bytes));
}

async function multiGet(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const items = parseMultiGet(request.body, { index: params.string('index'), routing: params.string('routing') });
  const filter = sourceFilterOf(params);
  const storedFields = params.list('stored_fields');
  const state = context.cluster.state();
  const outcomes = await executeMultiGet(
    context,
    items.map((item) => item.key),
    { realtime: params.boolean('realtime', true), refresh: params.boolean('refresh', false) },
  );
  return valueResponse({
    docs: outcomes.map((outcome, i) => {
      const item = items[i];
      const view = { filter: item?.source ?? filter, storedFields: item?.storedFields ?? storedFields };
      return renderMultiGetEntry(state, outcome, view);
    }),
  });
}
