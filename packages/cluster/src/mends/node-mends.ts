/** Mends that are a node more. */

import type { ClusterState } from '@shoal/cluster-state';
import { showHostPort } from '@shoal/core';
import type { Mend } from './mend.ts';

/** Seed hosts named in the command; one that answers is enough. */
const SEEDS_SHOWN = 3;

/** Another data node, told where the nodes of the cluster are. */
export function addNode({ nodes, clusterName }: ClusterState, attributes: Readonly<Record<string, string>> = {}): Mend {
  const seedHosts = [...nodes.values()].slice(0, SEEDS_SHOWN).map(({ address }) => showHostPort(address));
  return { kind: 'addNode', clusterName, seedHosts: seedHosts.join(','), attributes };
}
