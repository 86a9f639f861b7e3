/**
 * `_mget`: several documents by their ids.
 */
import { type CoordinatorContext, executeMultiGet } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { showsTypes } from '../request/document-types.ts';
import { READ_SOURCE_PARAMETERS, sourceFilterOf } from '../request/source-parameters.ts';
import { versionConflict } from './find-document.ts';
import { parseMultiGet } from './parse-multi-get.ts';
import { renderMultiGetEntry } from './render-documents.ts';

export const multiGetApi: RestApi = {
  usageName: 'document_mget_action',
  methods: ['GET', 'POST'],
  paths: ['/_mget', '/{index}/_mget', '/{index}/_doc/_mget'],
  privilege: 'indices:data/read/mget',
  task: { action: 'indices:data/read/mget', isCancellable: false },
  isHot: true,
  body: 'json',
  params: {
    preference: 'string',
    realtime: 'boolean',
    refresh: 'boolean',
    routing: 'string',
    stored_fields: 'list',
    ...READ_SOURCE_PARAMETERS,
  },
  handler: multiGet,
};

async function multiGet(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const items = parseMultiGet(request.body, { index: params.string('index'), routing: params.string('routing') });
  const filter = sourceFilterOf(params);
  const storedFields = params.list('stored_fields');
  const withType = showsTypes(request);
  const state = context.cluster.state();
  const outcomes = await executeMultiGet(
    context,
    items.map((item) => item.key),
    { realtime: params.boolean('realtime', true), refresh: params.boolean('refresh', false) },
  );
  return valueResponse({
    docs: outcomes.map((outcome, i) => {
      const item = items[i];
      const view = { filter: item?.source ?? filter, storedFields: item?.storedFields ?? storedFields, withType };
      const conflict = outcome.kind === 'answered' ? versionConflict(outcome, item?.version ?? null) : null;
      const { index, id } = outcome;
      return renderMultiGetEntry(
        state,
        conflict === null ? outcome : { kind: 'failed', index, id, error: conflict },
        view,
      );
    }),
  });
}
