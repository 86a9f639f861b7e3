/**
 * The value that simulated clusters agree on: members, exclusions, and the writes of clients in their order.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';
import type { NodeId, StateHeader, ValueModel } from '../steps/accepted-state.ts';

export interface SimValue {
  readonly nodes: ReadonlyMap<NodeId, DiscoveryNode>;
  readonly excluded: ReadonlySet<NodeId>;
  readonly manager: NodeId | null;
  readonly writes: readonly string[];
  readonly header: StateHeader | null;
}

export const EMPTY_VALUE: SimValue = { nodes: new Map(), excluded: new Set(), manager: null, writes: [], header: null };

export const SIM_MODEL: ValueModel<SimValue> = {
  nodes: (value) => value.nodes,
  excludedIds: (value) => value.excluded,
  withNodes(value, changes) {
    const nodes = new Map(value.nodes);
    for (const { node } of changes.left) nodes.delete(node.id);
    for (const node of changes.joined) nodes.set(node.id, node);
    return { ...value, nodes, manager: changes.newManager?.id ?? value.manager };
  },
  stamp: (value, header) => ({ ...value, header }),
  refuseJoin: () => null,
  refuseState: () => null,
};

export function simNode(id: NodeId, process: number, roles: DiscoveryNode['roles']): DiscoveryNode {
  return {
    id,
    ephemeralId: `${id}-${process}`,
    name: id,
    version: '0.1.0',
    roles,
    address: { host: `host-${id}`, port: 9300 },
    httpAddress: null,
    attributes: {},
  };
}
