/**
 * Body of `GET /`: who this node is, and the API level that official clients check before they say anything else.
 */

import type { ClusterState } from '@shoal/cluster-state';
import { API_VERSION, SHOAL_VERSION } from '@shoal/core';

/** Description of this build. There is one build, from source, without a date of its own. */
export const BUILD: Readonly<Record<'flavor' | 'type' | 'hash' | 'date', string>> = {
  flavor: 'default',
  type: 'tar',
  hash: 'unknown',
  date: '2026-01-01T00:00:00.000Z',
};

export function rootBody(nodeName: string, state: ClusterState): Readonly<Record<string, unknown>> {
  return {
    name: nodeName,
    cluster_name: state.clusterName,
    cluster_uuid: state.metadata.clusterUuid,
    version: {
      number: API_VERSION.number,
      build_flavor: BUILD.flavor,
      build_type: BUILD.type,
      build_hash: BUILD.hash,
      build_date: BUILD.date,
      build_snapshot: false,
      lucene_version: API_VERSION.luceneVersion,
      minimum_wire_compatibility_version: API_VERSION.minimumWireCompatibilityVersion,
      minimum_index_compatibility_version: API_VERSION.minimumIndexCompatibilityVersion,
    },
    tagline: 'You Know, for Search',
    shoal: { version: SHOAL_VERSION },
  };
}
