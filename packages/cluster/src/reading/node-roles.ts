/**
 * Roles of a node under the names that REST answers use: `master` for what is called cluster manager everywhere else.
 */
import type { NodeRole } from '@shoal/cluster-state';

const SHOWN: ReadonlyMap<NodeRole, { readonly name: string; readonly letter: string }> = new Map([
  ['cluster_manager', { name: 'master', letter: 'm' }],
  ['voting_only', { name: 'voting_only', letter: 'v' }],
  ['data', { name: 'data', letter: 'd' }],
  ['ingest', { name: 'ingest', letter: 'i' }],
  ['remote_cluster_client', { name: 'remote_cluster_client', letter: 'r' }],
]);
const NO_ROLES = '-';

/** Names in alphabetical order, as `_nodes` lists them. */
export function shownRoles(roles: readonly NodeRole[]): readonly string[] {
  return roles.map((role) => SHOWN.get(role)?.name ?? role).sort();
}

/** The letters of `_cat/nodes`, alphabetical: `dimr`; `-` for a node that only coordinates. */
export function roleLetters(roles: readonly NodeRole[]): string {
  const letters = roles.map((role) => SHOWN.get(role)?.letter ?? '').sort();
  return letters.length === 0 ? NO_ROLES : letters.join('');
}

/** A role as a request may name it, `master` included; null when there is no such role. */
export function parseRole(text: string): NodeRole | null {
  for (const [role, shown] of SHOWN) {
    if (text === role || text === shown.name) return role;
  }
  return null;
}
