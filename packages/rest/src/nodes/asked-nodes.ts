/**
 * The nodes that a request of `_nodes` names, and how long they may take.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { type CoordinatorContext, filterNodes, NODE_TIMEOUT_MS_DEFAULT } from '@shoal/coordinator';
import type { HttpRequest } from '@shoal/http';
import { boundedMs } from '../request/manager-timeouts.ts';

/** Every node when none is named. */
export function nodesOf(context: CoordinatorContext, names: readonly string[]): readonly DiscoveryNode[] {
  return filterNodes(context.cluster.state(), context.cluster.localNode.id, names);
}

/** Milliseconds until a node counts as failed. */
export function timeoutOf(request: HttpRequest): number {
  return boundedMs(request.params.timeMs('timeout') ?? NODE_TIMEOUT_MS_DEFAULT);
}
