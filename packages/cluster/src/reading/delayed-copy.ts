/** Copies that no node gets yet, because the node that held them may come back. */
import type { ShardRouting } from '@shoal/cluster-state';

export function isDelayed(copy: ShardRouting): boolean {
  return copy.unassigned?.allocationStatus === 'delayed_allocation';
}
