/**
 * `_bulk`: many documents written in one request.
 */

import { type CoordinatorContext, executeBulk } from '@shoal/coordinator';
import { RawJson, ShoalError } from '@shoal/core';
import { filteredResponse, type HttpRequest, type HttpResponse } from '@shoal/http';
import { sourceFilterOfParams } from '@shoal/query';
import { ItemSlices } from '@shoal/runtime';
import type { RestApi } from '../api/rest-api.ts';
import { describeIndices } from '../api/task-description.ts';
import { bulkOptionsOf, SOURCE_ERROR_PARAMETER, WRITE_PARAMETERS } from '../documents/write-parameters.ts';
import { showsTypes } from '../request/document-types.ts';
import { SOURCE_PARAMETERS } from '../request/source-parameters.ts';
import { warningHeader } from '../request/warning-header.ts';
import { parseBulk } from './parse-bulk.ts';
import { renderBulk } from './render-bulk.ts';

export const bulkApi: RestApi = {
  usageName: 'bulk_action',
  methods: ['POST', 'PUT'],
  paths: ['/_bulk', '/{index}/_bulk', '/{index}/_doc/_bulk'],
  privilege: 'indices:data/write/bulk',
  task: { action: 'indices:data/write/bulk', isCancellable: false, describe: describeIndices },
  isHot: true,
  body: 'ndjson',
  inPieces: true,
  params: { ...WRITE_PARAMETERS, ...SOURCE_ERROR_PARAMETER, ...SOURCE_PARAMETERS, pipeline: 'string' },
  handler: bulk,
};

async function bulk(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { clock } = context.runtime;
  const startedMs = clock.monotonicMs();
  const { params } = request;
  if (request.pieces === null) throw new ShoalError('parse_exception', 400, 'request body is required');
  const turns = new ItemSlices(context.runtime.sched);
  const defaults = {
    index: params.string('index'),
    routing: params.string('routing'),
    requireAlias: params.boolean('require_alias', false),
    requireDataStream: params.boolean('require_data_stream', false),
    pipeline: params.string('pipeline'),
    sourceFilter: sourceFilterOfParams(Object.fromEntries(params.entries())),
  };
  const warnings = new Set<string>();
  const items = await parseBulk(request.pieces, defaults, turns, (message) => warnings.add(message));
  const outcomes = await executeBulk(context, items, bulkOptionsOf(params));
  const tookMs = Math.round(clock.monotonicMs() - startedMs);
  const bytes = await renderBulk(
    outcomes,
    { tookMs, filters: params.list('filter_path'), withTypes: showsTypes(request) },
    turns,
  );
  const response = filteredResponse(new RawJson(bytes));
  return warnings.size === 0 ? response : { ...response, headers: { Warning: warningHeader(warnings) } };
}
