/**
 * The index that an enrich policy was executed to: found by the alias that the last execution gave it, and described by its mapping.
 */

import { type ClusterState, ENRICH_POLICY_TYPES, type EnrichPolicyType } from '@shoal/cluster-state';
import { illegalArgument } from '@shoal/core';

export interface EnrichIndex {
  readonly index: string;
  readonly type: EnrichPolicyType;
  readonly matchField: string;
}

/** Alias of the index that processors of the policy look into; indices of all executions begin with it. */
export function enrichAlias(policy: string): string {
  return `.enrich-${policy}`;
}

/** `_meta` of the mapping of an enrich index. */
export function enrichIndexMeta(
  policy: string,
  { type, matchField }: Omit<EnrichIndex, 'index'>,
): Readonly<Record<string, string>> {
  return {
    enrich_readme: 'This index is managed by the cluster and should not be modified in any way.',
    enrich_policy_name: policy,
    enrich_policy_type: type,
    enrich_match_field: matchField,
  };
}

/** @throws illegal_argument_exception (400) for a policy that was not executed */
export function findEnrichIndex(state: ClusterState, policy: string): EnrichIndex {
  const found = enrichIndexOf(state, policy);
  if (found !== null) return found;
  throw illegalArgument(`no enrich index exists for policy with name [${policy}]`);
}

/** Whether there is an index in which processors of the policy can look. */
export function isExecuted(state: ClusterState, policy: string): boolean {
  return enrichIndexOf(state, policy) !== null;
}

function enrichIndexOf({ metadata }: ClusterState, policy: string): EnrichIndex | null {
  const alias = enrichAlias(policy);
  for (const index of metadata.indices.values()) {
    if (!index.aliases.has(alias)) continue;
    const { _meta: meta } = index.mapping;
    if (typeof meta !== 'object' || meta === null) continue;
    const { enrich_policy_type: type, enrich_match_field: matchField } = meta as Readonly<Record<string, unknown>>;
    const known = ENRICH_POLICY_TYPES.find((name) => name === type);
    if (known !== undefined && typeof matchField === 'string') return { index: index.name, type: known, matchField };
  }
  return null;
}
