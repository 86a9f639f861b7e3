/**
 * Indices opened and closed, and the wait for the shards of both.
 */

import { isActive } from '@shoal/cluster';
import { type ClusterState, withoutTargets } from '@shoal/cluster-state';
import type { CoordinatorContext, IndicesOptions } from '@shoal/coordinator';
import { ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, type ParameterDeclarations, valueResponse } from '@shoal/http';
import { writeActiveShards } from '@shoal/schema';
import { parseActiveShards } from '../request/active-shards.ts';
import { INDICES_OPTIONS_PARAMETERS } from '../request/indices-options-parameters.ts';
import { managedState } from '../request/managed-state.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';
import { resolveRequest } from './resolve-request.ts';

const CLOSING_IS_DISABLED =
  'closing indices is disabled - set [cluster.indices.close.enable: true] to enable it. NOTE: closed indices still consume a significant amount of diskspace';

/** Parameters of `_open` and `_close`. */
export const STATE_PARAMETERS: ParameterDeclarations = {
  ...CHANGE_PARAMETERS,
  ...INDICES_OPTIONS_PARAMETERS,
  wait_for_active_shards: 'string',
};

/** Opens or closes the indices that the request names. @param defaults which of them a wildcard finds */
export async function setIndexState(
  target: 'open' | 'close',
  defaults: IndicesOptions,
  request: HttpRequest,
  context: CoordinatorContext,
): Promise<HttpResponse> {
  const state = await managedState(request, context);
  const indices = resolveRequest(state, request, context, {
    ...defaults,
    includesDataStreams: false,
    allowsSelectors: false,
  }).map(({ index }) => index.name);
  if (target === 'close' && context.cluster.settings()['cluster.indices.close.enable'] === 'false') {
    throw new ShoalError('illegal_state_exception', 500, CLOSING_IS_DISABLED);
  }
  const activeShards = parseActiveShards(request.params.string('wait_for_active_shards'));
  const { acknowledged } =
    indices.length === 0
      ? { acknowledged: true }
      : await context.cluster.admin.setIndexState({ ...managerTimeouts(request), indices, state: target });
  const shards_acknowledged = acknowledged && (await haveActiveShards(request, context, indices, activeShards));
  if (target === 'open') return valueResponse({ acknowledged, shards_acknowledged });
  const closed = Object.fromEntries(indices.map((index) => [index, { closed: acknowledged }]));
  return valueResponse({ acknowledged, shards_acknowledged, indices: closed });
}

/** Waits until every shard has so many active copies, or what its index wants of a write (null); false when `timeout` passed before. */
async function haveActiveShards(
  request: HttpRequest,
  context: CoordinatorContext,
  indices: readonly string[],
  asked: number | 'all' | null,
): Promise<boolean> {
  const hasEnough = (state: ClusterState): boolean =>
    indices.every((index) => {
      const wanted = asked ?? writeActiveShards(state.metadata.indices.get(index)?.settings ?? {});
      return (state.routing.indices.get(index) ?? []).map(withoutTargets).every((copies) => {
        const active = copies.filter(isActive).length;
        return active >= (wanted === 'all' ? copies.length : wanted);
      });
    });
  return (await context.cluster.waitForState(hasEnough, managerTimeouts(request).timeoutMs)) !== null;
}
