/**
 * A node as the cluster state knows it, in the shape that Elasticsearch gives it wherever an answer has nodes by their ids.
 */
import { shownRoles } from '@shoal/cluster';
import type { DiscoveryNode } from '@shoal/cluster-state';
import { API_VERSION, INDEX_VERSION_CREATED, showHostPort } from '@shoal/core';

/** Least version of an index that nodes open, as Elasticsearch numbers it: that of 7.0.0. */
const INDEX_VERSION_LEAST = 7_000_099;

export function discoveryNodeBody(node: DiscoveryNode): Readonly<Record<string, unknown>> {
  return {
    name: node.name,
    ephemeral_id: node.ephemeralId,
    transport_address: showHostPort(node.address),
    external_id: node.name,
    attributes: node.attributes,
    roles: shownRoles(node.roles),
    version: API_VERSION.number,
    min_index_version: INDEX_VERSION_LEAST,
    max_index_version: Number(INDEX_VERSION_CREATED),
  };
}
