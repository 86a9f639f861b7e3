/**
 * Enrich policies in the cluster state, on the wire and on disk: from which indices documents of pipelines are completed, and by which field.
 */
import { assert, type ItemReader, ValueReader } from '@shoal/core';
import { sortedMap } from './sorted-map.ts';

export const ENRICH_POLICY_TYPES = ['match', 'range', 'geo_match'] as const;
export type EnrichPolicyType = (typeof ENRICH_POLICY_TYPES)[number];

export interface EnrichPolicy {
  readonly name: string;
  readonly type: EnrichPolicyType;
  /** Expressions of the source indices. */
  readonly indices: readonly string[];
  /** Field of the source documents that is compared with that of a document. */
  readonly matchField: string;
  /** Fields of a source document that are added. */
  readonly enrichFields: readonly string[];
  /** Source documents that count, as the JSON of a query; null: all. */
  readonly query: string | null;
}

export type EnrichPolicies = ReadonlyMap<string, EnrichPolicy>;

export const NO_ENRICH_POLICIES: EnrichPolicies = new Map();
/** Most policies of a cluster. */
export const ENRICH_POLICIES_MAX = 1_000;
/** Most indices, and most fields, of a policy. */
export const ENRICH_NAMES_MAX = 1_000;
/** Characters of one policy: all policies are a part of every whole cluster state. */
export const ENRICH_POLICY_CHARS_MAX: number = 64 * 1024;

export function writeEnrichPolicies(policies: EnrichPolicies): readonly Record<string, unknown>[] {
  assert(policies.size <= ENRICH_POLICIES_MAX, `${policies.size} enrich policies are more than can be read`);
  return [...policies.values()].map((policy) => ({ ...policy }));
}

/** All enrich policies of a state, by name. */
export const readEnrichPolicies: ItemReader<EnrichPolicies> = (value, field) => {
  const list = new ValueReader({ policies: value }, field).list('policies', readPolicy, ENRICH_POLICIES_MAX);
  return sortedMap(list.map((policy) => [policy.name, policy]));
};

const readPolicy: ItemReader<EnrichPolicy> = (value, field) => readEnrichPolicyFields(ValueReader.of(value, field));

/** A policy whose members stand among others. */
export function readEnrichPolicyFields(r: ValueReader): EnrichPolicy {
  return {
    name: r.string('name'),
    type: r.oneOf('type', ENRICH_POLICY_TYPES),
    indices: r.list('indices', ValueReader.asString, ENRICH_NAMES_MAX),
    matchField: r.string('matchField'),
    enrichFields: r.list('enrichFields', ValueReader.asString, ENRICH_NAMES_MAX),
    query: r.optionalString('query'),
  };
}
