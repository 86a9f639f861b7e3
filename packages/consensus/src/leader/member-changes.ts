/**
 * Joins and leaves as one change of the members: whoever a newcomer replaces goes out in the same state.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';
import type { NodeChanges, NodeId, NodeRemoval } from '../steps/accepted-state.ts';
import { addressText, isSameProcess } from '../steps/node-roles.ts';

/**
 * @param members of the state that is changed
 * @param removals of processes that are no members (any more) are left out
 */
export function memberChanges(
  members: ReadonlyMap<NodeId, DiscoveryNode>,
  change: {
    readonly joins: readonly DiscoveryNode[];
    readonly removals: readonly NodeRemoval[];
    readonly newManager: DiscoveryNode | null;
  },
): NodeChanges {
  const left = new Map<NodeId, NodeRemoval>();
  for (const removal of change.removals) {
    const member = members.get(removal.node.id);
    if (member !== undefined && isSameProcess(member, removal.node)) left.set(member.id, { ...removal, node: member });
  }
  const joined: DiscoveryNode[] = [];
  for (const node of change.joins) {
    const member = members.get(node.id);
    // A removed process that asks again comes back as it was.
    const isMember = member !== undefined && isSameProcess(member, node) && !left.has(node.id);
    if (!isMember) joined.push(node);
    for (const other of members.values()) {
      const isOtherProcess = !isSameProcess(other, node);
      const isInTheWay = other.id === node.id || addressText(other) === addressText(node);
      if (isOtherProcess && isInTheWay) left.set(other.id, { node: other, reason: 'replaced' });
    }
  }
  return { joined, left: [...left.values()], newManager: change.newManager };
}
