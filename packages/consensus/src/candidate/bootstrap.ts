/**
 * First voting configuration of a new cluster.
 *
 * Every node of the initial list decides by itself, once more than half of the list is found: it sets the ids it found and
 * placeholders for the rest, so that two halves can never both have a quorum. Used only while no configuration exists.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { assert } from '@shoal/core';
import type { VotingConfig } from '../steps/accepted-state.ts';
import { addressText, isEligible } from '../steps/node-roles.ts';
import { votingConfig } from '../steps/voting-config.ts';

/** Prefix of the id of a voter that was named and not found yet; it falls out at a later reconfiguration. */
export const PLACEHOLDER_PREFIX = '{bootstrap-placeholder}-';

export type BootstrapDecision =
  | { readonly kind: 'set'; readonly config: VotingConfig }
  | { readonly kind: 'wait'; readonly missing: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * @param names of `cluster.initial_cluster_manager_nodes`: node names, hosts or `host:port`
 * @param found eligible nodes found by now, without the local one
 */
export function decideBootstrap(
  names: readonly string[],
  local: DiscoveryNode,
  found: readonly DiscoveryNode[],
): BootstrapDecision {
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) return { kind: 'refused', reason: `[${duplicate}] is named twice` };
  const nodes = [local, ...found].filter(isEligible);
  const chosen = new Map<string, DiscoveryNode>();
  for (const name of names) {
    const matching = nodes.filter((node) => matches(name, node));
    const [only, ...rest] = matching;
    if (rest.length > 0) {
      return { kind: 'refused', reason: `[${name}] matches [${matching.map((node) => node.name).join(', ')}]` };
    }
    if (only === undefined) continue;
    const earlier = [...chosen].find(([, node]) => node.id === only.id);
    if (earlier !== undefined) {
      return { kind: 'refused', reason: `[${earlier[0]}] and [${name}] both match [${only.name}]` };
    }
    chosen.set(name, only);
  }
  const missing = names.filter((name) => !chosen.has(name));
  if (![...chosen.values()].some((node) => node.id === local.id)) {
    return { kind: 'refused', reason: `this node [${local.name}] is not in the list` };
  }
  if (chosen.size * 2 <= names.length) return { kind: 'wait', missing };
  const ids = [...chosen.values()].map((node) => node.id);
  const config = votingConfig([...ids, ...missing.map((name) => PLACEHOLDER_PREFIX + name)]);
  // Fewer voters than names would be a quorum that another half of the list does not know of.
  assert(config.length === names.length, `[${config}] has not one voter for each of [${names}]`);
  return { kind: 'set', config };
}

function matches(name: string, node: DiscoveryNode): boolean {
  return name === node.name || name === node.address.host || name === addressText(node);
}
