/**
 * Puts and deletes enrich policies in the cluster state. A policy never changes: the indices made by it would no longer be what it says.
 */

import {
  type ClusterState,
  ENRICH_NAMES_MAX,
  ENRICH_POLICIES_MAX,
  ENRICH_POLICY_CHARS_MAX,
  type EnrichPolicies,
  type EnrichPolicy,
  withEntries,
} from '@shoal/cluster-state';
import { illegalArgument, ShoalError } from '@shoal/core';

/** @throws resource_already_exists_exception for a name in use, illegal_argument_exception for what is too large, or one too many */
export function putEnrichPolicy(state: ClusterState, policy: EnrichPolicy): ClusterState {
  const { enrichPolicies } = state.metadata;
  const { name, type, indices, matchField, enrichFields, query } = policy;
  if (enrichPolicies.has(name)) {
    throw new ShoalError('resource_already_exists_exception', 400, `policy [${name}] already exists`);
  }
  if (Math.max(indices.length, enrichFields.length) > ENRICH_NAMES_MAX) {
    throw illegalArgument(`policy [${name}] names more than [${ENRICH_NAMES_MAX}] indices, or fields`);
  }
  const chars = [name, matchField, query ?? '', ...indices, ...enrichFields].reduce(
    (sum, text) => sum + text.length,
    0,
  );
  if (chars > ENRICH_POLICY_CHARS_MAX) {
    throw illegalArgument(`policy [${name}] is longer than [${ENRICH_POLICY_CHARS_MAX}] characters`);
  }
  if (enrichPolicies.size >= ENRICH_POLICIES_MAX) {
    throw illegalArgument(`too many enrich policies: there may be [${ENRICH_POLICIES_MAX}]`);
  }
  const kept = { name, type, indices, matchField, enrichFields, query };
  return withPolicies(state, withEntries(enrichPolicies, [[name, kept]]));
}

/** @throws resource_not_found_exception (404), or status_exception (409) for a policy that pipelines use */
export function deleteEnrichPolicy(state: ClusterState, name: string): ClusterState {
  requiredEnrichPolicy(state.metadata.enrichPolicies, name);
  const users = pipelinesWithPolicy(state, name);
  if (users.length > 0) {
    throw new ShoalError(
      'status_exception',
      409,
      `Could not delete policy [${name}] because a pipeline is referencing it [${users.join(', ')}]`,
    );
  }
  return withPolicies(state, withEntries(state.metadata.enrichPolicies, [[name, null]]));
}

/** @throws resource_not_found_exception (404) for no policy of the name */
export function requiredEnrichPolicy(policies: EnrichPolicies, name: string): EnrichPolicy {
  const found = policies.get(name);
  if (found !== undefined) return found;
  throw new ShoalError('resource_not_found_exception', 404, `policy [${name}] not found`);
}

/** Ids of the pipelines with a processor `enrich` of the policy. */
function pipelinesWithPolicy({ metadata }: ClusterState, policy: string): readonly string[] {
  return [...metadata.ingestPipelines.values()]
    .filter(({ config }) => namesPolicy(JSON.parse(config), policy))
    .map(({ id }) => id);
}

/** Processors stand in lists of pipelines and of other processors, at any depth. */
function namesPolicy(value: unknown, policy: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, child]) => {
    const isUser = key === 'enrich' && typeof child === 'object' && child !== null && 'policy_name' in child;
    return (isUser && child.policy_name === policy) || namesPolicy(child, policy);
  });
}

function withPolicies(state: ClusterState, enrichPolicies: EnrichPolicies): ClusterState {
  return { ...state, metadata: { ...state.metadata, enrichPolicies } };
}
