/**
 * Two live processes with one node id: one of them runs on a copy of the other's data path. Were both let into a cluster, they
 * would replace each other, and what one acknowledged would be missing in the other.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';
import { addressText } from './node-roles.ts';

const PREFIX = 'another process that is alive has the node id';

/** Reason that stops a process: `alive` is the other one. */
export function duplicateOf(alive: DiscoveryNode): string {
  return `${PREFIX} [${alive.id}]: [${alive.name}][${addressText(alive)}]; one of the two runs on a copy of the other's data path: start the copy with an empty one`;
}

export function isDuplicateReason(reason: string): boolean {
  return reason.startsWith(PREFIX);
}
