/**
 * Ids of states and clusters, derived instead of drawn: the core has no random numbers.
 *
 * Distinct since no process publishes two states under one (term, version), and the ephemeral id is fresh for each process.
 */
import { createHash } from 'node:crypto';
import type { DiscoveryNode } from '@shoal/cluster-state';

/** Elasticsearch's ids are 22 characters of URL-safe base64; tools that print them in columns expect that. */
const ID_LENGTH = 22;

export function stateUuidOf(publisher: DiscoveryNode, term: number, version: number): string {
  return derive(`state\n${publisher.id}\n${publisher.ephemeralId}\n${term}\n${version}`);
}

export function clusterUuidOf(founder: DiscoveryNode): string {
  return derive(`cluster\n${founder.id}\n${founder.ephemeralId}`);
}

function derive(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, ID_LENGTH);
}
