/**
 * `_flush/synced`: a flush whose commit gets a marker, answered index by index as Elasticsearch 7 does. Nothing depends on the
 * marker, which `_stats` shows until the next commit: shards know by sequence numbers what they have.
 */
import { checkBlock } from '@shoal/cluster';
import { type CoordinatorContext, maintainShards, READ_INDICES_OPTIONS } from '@shoal/coordinator';
import { randomUuid } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS } from '../request/indices-options-parameters.ts';
import { namedIndices } from '../request/named-indices.ts';
import { warningHeader } from '../request/warning-header.ts';
import { shardsHeaderBody } from './index-stats-body.ts';

const UUID_BYTES = 16;
const DEPRECATED =
  'Synced flush is deprecated and will be removed in 8.0. Use flush at _/flush or /{index}/_flush instead.';

export const syncedFlushApi: RestApi = {
  usageName: 'synced_flush_action',
  methods: ['POST', 'GET'],
  paths: ['/_flush/synced', '/{index}/_flush/synced'],
  privilege: 'indices:admin/synced_flush',
  task: null,
  params: INDICES_OPTIONS_PARAMETERS,
  handler: syncedFlush,
};

async function syncedFlush(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = context.cluster.state();
  checkBlock(state, 'metadata_read', []);
  const indices = namedIndices(state, request, context, READ_INDICES_OPTIONS);
  const headers = await Promise.all(
    indices.map((index) => {
      const syncId = randomUuid(context.runtime.random.bytes(UUID_BYTES));
      return maintainShards(context, state, { kind: 'synced_flush', syncId }, [index]);
    }),
  );
  const all = {
    total: headers.reduce((n, header) => n + header.total, 0),
    successful: headers.reduce((n, header) => n + header.successful, 0),
    failed: headers.reduce((n, header) => n + header.failed, 0),
    failures: [],
  };
  const body = {
    _shards: shardsHeaderBody(all),
    ...Object.fromEntries(indices.map((index, i) => [index, shardsHeaderBody(headers[i] ?? all)])),
  };
  return { ...valueResponse(body), headers: { Warning: warningHeader([DEPRECATED]) } };
}
