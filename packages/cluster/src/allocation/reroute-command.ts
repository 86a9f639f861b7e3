/** What comes of one command of a reroute, and the nodes that it names. */
import type { ClusterState, DiscoveryNode } from '@shoal/cluster-state';
import { illegalArgument, showHostPort } from '@shoal/core';
import type { Decision } from './deciders/deciders.ts';

export type { RerouteCommand } from '@shoal/protocol';

export interface CommandDone {
  readonly state: ClusterState;
  readonly decisions: readonly Decision[];
}

/** Throws 400 when no node, or more than one, has the id or name. */
export function nodeNamed({ nodes }: ClusterState, wanted: string): DiscoveryNode {
  const found = nodes.get(wanted);
  if (found !== undefined) return found;
  const named = [...nodes.values()].filter(({ name }) => name === wanted);
  const [only] = named;
  if (only === undefined) throw illegalArgument(`failed to resolve [${wanted}], no matching nodes`);
  if (named.length === 1) return only;
  const ids = named.map(({ id }) => id).join(', ');
  throw illegalArgument(
    `resolved [${wanted}] into [${named.length}] nodes, where expected to be resolved to a single node: [${ids}]`,
  );
}

/** A node as Elasticsearch writes it in texts, as far as there is a like. */
export function nodeText({ name, id, ephemeralId, address }: DiscoveryNode): string {
  return `{${name}}{${id}}{${ephemeralId}}{${address.host}}{${showHostPort(address)}}`;
}

/** Decisions as errors of commands list them. */
export function decisionsText(decisions: readonly Decision[]): string {
  return decisions.map(({ decision, explanation }) => `[${decision}(${explanation})]`).join('');
}
