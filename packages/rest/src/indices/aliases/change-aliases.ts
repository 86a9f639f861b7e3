/**
 * Changes of aliases: the indices that a path names, and the request to the cluster manager.
 */

import type { ClusterState } from '@shoal/cluster-state';
import { type CoordinatorContext, type IndicesOptions, METADATA_INDICES_OPTIONS } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { AliasChange } from '@shoal/protocol';
import { concreteIndices } from '../../request/concrete-indices.ts';
import { managedState } from '../../request/managed-state.ts';
import { managerTimeouts } from '../../request/manager-timeouts.ts';

const CHANGE_OPTIONS: IndicesOptions = { ...METADATA_INDICES_OPTIONS, allowNoIndices: false };

/** Paths that name one alias of some indices. */
export const ONE_ALIAS_PATHS: readonly string[] = ['/{index}/_alias/{name}', '/{index}/_aliases/{name}'];

export interface AliasTargets {
  readonly state: ClusterState;
  /** Names of concrete indices. */
  readonly indices: readonly string[];
}

/** The indices that the path of a request names. */
export async function aliasTargets(request: HttpRequest, context: CoordinatorContext): Promise<AliasTargets> {
  const state = await managedState(request, context);
  const nowMs = context.runtime.clock.wallMs();
  return { state, indices: concreteIndices(state, request.params.required('index'), CHANGE_OPTIONS, nowMs) };
}

/** Answers without asking the cluster manager when there is nothing to change. */
export async function changeAliases(
  request: HttpRequest,
  context: CoordinatorContext,
  actions: readonly AliasChange[],
): Promise<HttpResponse> {
  const { acknowledged } =
    actions.length === 0
      ? { acknowledged: true }
      : await context.cluster.admin.updateAliases({ ...managerTimeouts(request), actions });
  return valueResponse({ acknowledged, errors: false });
}
