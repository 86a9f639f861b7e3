/**
 * What a node may do in coordination, by its roles.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { showHostPort } from '@shoal/core';

/** May vote and be in a voting configuration. */
export function isEligible(node: DiscoveryNode): boolean {
  return node.roles.includes('cluster_manager');
}

/** May become cluster manager. */
export function mayLead(node: DiscoveryNode): boolean {
  return isEligible(node) && !node.roles.includes('voting_only');
}

/** The same process, not only the same data path. */
export function isSameProcess(
  a: { readonly id: string; readonly ephemeralId: string },
  b: { readonly id: string; readonly ephemeralId: string },
): boolean {
  return a.id === b.id && a.ephemeralId === b.ephemeralId;
}

export function addressText(node: DiscoveryNode): string {
  return showHostPort(node.address);
}
