/** What allocation decides for one copy that has no node. */
import type { UnassignedInfo } from '@shoal/cluster-state';

export type Choice =
  | { readonly kind: 'assign'; readonly nodeId: string; readonly allocationId: string }
  | { readonly kind: 'leave'; readonly status: UnassignedInfo['allocationStatus'] };

export function leave(status: UnassignedInfo['allocationStatus']): Choice {
  return { kind: 'leave', status };
}
