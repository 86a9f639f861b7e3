/**
 * `_cache/clear`: empties what shards keep to answer faster. No answer changes.
 */
import { checkBlock } from '@shoal/cluster';
import { type CoordinatorContext, maintainShards, READ_INDICES_OPTIONS } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, type RequestParameters, valueResponse } from '@shoal/http';
import type { CachesToClear } from '@shoal/shard-api';
import type { RestApi } from '../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS } from '../request/indices-options-parameters.ts';
import { namedIndices } from '../request/named-indices.ts';
import { shardsHeaderBody } from './index-stats-body.ts';

export const clearCacheApi: RestApi = {
  usageName: 'clear_indices_cache_action',
  methods: ['POST'],
  paths: ['/_cache/clear', '/{index}/_cache/clear'],
  privilege: 'indices:admin/cache/clear',
  task: null,
  params: {
    ...INDICES_OPTIONS_PARAMETERS,
    index: 'string',
    query: 'boolean',
    fielddata: 'boolean',
    request: 'boolean',
    fields: 'list',
  },
  handler: clearCache,
};

async function clearCache(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = context.cluster.state();
  checkBlock(state, 'metadata_read', []);
  const indices = namedIndices(state, request, context, READ_INDICES_OPTIONS);
  const work = { kind: 'clear_caches', caches: cachesOf(request.params) } as const;
  const header = await maintainShards(context, state, work, indices);
  return valueResponse({ _shards: shardsHeaderBody(header) });
}

/** A request that names none of the caches means all of them; one that names fields alone, what these hold. */
function cachesOf(params: RequestParameters): CachesToClear {
  const fields = params.list('fields');
  const query = params.boolean('query', false);
  const fielddata = params.boolean('fielddata', false);
  const request = params.boolean('request', false);
  if (query || fielddata || request) return { query, fielddata, request, fields };
  const isAll = fields.length === 0;
  return { query: isAll, fielddata: true, request: isAll, fields };
}
