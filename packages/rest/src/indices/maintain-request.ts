/**
 * Refresh and flush: the same request to every shard copy of the indices that it names.
 */

import { checkBlock } from '@shoal/cluster';
import { type CoordinatorContext, maintainShards, READ_INDICES_OPTIONS } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { MaintenanceKind } from '@shoal/protocol';
import { namedIndices } from '../request/named-indices.ts';
import { shardsHeaderBody } from './index-stats-body.ts';

/** Sends one kind of maintenance to the shards. */
export async function maintainRequest(
  kind: MaintenanceKind,
  request: HttpRequest,
  context: CoordinatorContext,
): Promise<HttpResponse> {
  const state = context.cluster.state();
  checkBlock(state, 'metadata_read', []);
  const header = await maintainShards(
    context,
    state,
    { kind },
    namedIndices(state, request, context, READ_INDICES_OPTIONS),
  );
  return valueResponse({ _shards: shardsHeaderBody(header) });
}
