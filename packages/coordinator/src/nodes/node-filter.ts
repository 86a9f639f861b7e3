/**
 * Which nodes a request names: ids, names, addresses, `_local`, `_master`, `_all`, wildcards, roles and attributes.
 *
 * Names are read from the left: each adds nodes, `role:false` takes away again. Nothing named means every node.
 */

import { parseRole } from '@shoal/cluster';
import type { ClusterState, DiscoveryNode, NodeRole } from '@shoal/cluster-state';
import { showHostPort, simpleMatch } from '@shoal/core';

const COORDINATING_ONLY = 'coordinating_only';

export function filterNodes(
  state: ClusterState,
  localNodeId: string,
  names: readonly string[],
): readonly DiscoveryNode[] {
  const all = [...state.nodes.values()];
  if (names.length === 0) return all;
  const chosen = new Set<string>();
  for (const name of names) {
    const role = roleFilter(name);
    if (role === null) {
      for (const node of all) if (isNamed(state, localNodeId, name, node)) chosen.add(node.id);
    } else {
      for (const node of all.filter((candidate) => hasRole(candidate, role.role))) {
        if (role.isWanted) chosen.add(node.id);
        else chosen.delete(node.id);
      }
    }
  }
  return all.filter((node) => chosen.has(node.id));
}

interface RoleFilter {
  readonly role: NodeRole | typeof COORDINATING_ONLY;
  readonly isWanted: boolean;
}

function roleFilter(name: string): RoleFilter | null {
  const [key = '', value = ''] = name.split(':');
  if (value !== 'true' && value !== 'false') return null;
  const role = key === COORDINATING_ONLY ? COORDINATING_ONLY : parseRole(key);
  return role === null ? null : { role, isWanted: value === 'true' };
}

function hasRole(node: DiscoveryNode, role: RoleFilter['role']): boolean {
  return role === COORDINATING_ONLY ? node.roles.length === 0 : node.roles.includes(role);
}

function isNamed(state: ClusterState, localNodeId: string, name: string, node: DiscoveryNode): boolean {
  if (name === '_all') return true;
  if (name === '_local') return node.id === localNodeId;
  if (name === '_master' || name === '_cluster_manager') return node.id === state.clusterManagerId;
  const texts = [node.name, node.address.host, showHostPort(node.address)];
  if (node.id === name || texts.some((text) => simpleMatch(name, text))) return true;
  const [attribute = '', value] = name.split(':');
  return (
    value !== undefined &&
    Object.entries(node.attributes).some(([key, text]) => simpleMatch(attribute, key) && simpleMatch(value, text))
  );
}
