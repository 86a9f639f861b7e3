/** What allocation decides for one copy that has no node. */
import type { ShardRouting, UnassignedInfo } from '@shoal/cluster-state';

export interface Place {
  readonly nodeId: string;
  readonly allocationId: string;
}

export type Choice =
  | ({ readonly kind: 'assign' } & Place)
  | { readonly kind: 'leave'; readonly status: UnassignedInfo['allocationStatus'] };

export function leave(status: UnassignedInfo['allocationStatus']): Choice {
  return { kind: 'leave', status };
}

/** The copy, which had no node, as it begins to start on one. */
export function assigned(copy: ShardRouting, { nodeId, allocationId }: Place): ShardRouting {
  return { ...copy, state: 'INITIALIZING', nodeId, allocationId };
}
