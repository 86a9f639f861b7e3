/**
 * The cluster state that a request reads: that of a cluster with a cluster manager, or the last one of this node.
 */

import type { ClusterState } from '@shoal/cluster-state';
import type { CoordinatorContext } from '@shoal/coordinator';
import { masterNotDiscovered } from '@shoal/core';
import type { HttpRequest } from '@shoal/http';
import { masterTimeoutMs } from './manager-timeouts.ts';

/**
 * The state of a cluster with a cluster manager; waits for one up to `master_timeout`.
 *
 * @throws master_not_discovered_exception (503) when none was found in that time
 */
export async function managedState(request: HttpRequest, context: CoordinatorContext): Promise<ClusterState> {
  const state = await context.cluster.waitForState((s) => s.clusterManagerId !== null, masterTimeoutMs(request));
  if (state === null) throw masterNotDiscovered();
  return state;
}

/** The state of `managedState`; with `?local=true` the last applied one, whatever it is. */
export async function readState(request: HttpRequest, context: CoordinatorContext): Promise<ClusterState> {
  return request.params.boolean('local', false) ? context.cluster.state() : managedState(request, context);
}
