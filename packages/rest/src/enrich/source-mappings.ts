/**
 * What the source indices of an enrich policy must have: the fields that it names, the match field of a type that can be compared.
 */

import type { ClusterState, EnrichPolicy } from '@shoal/cluster-state';
import { type CoordinatorContext, READ_INDICES_OPTIONS, resolveIndexNames } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { isJsonObject, type JsonObject } from '../request/json-body.ts';

const RANGE_TYPES: readonly string[] = [
  'integer_range',
  'float_range',
  'long_range',
  'double_range',
  'ip_range',
  'date_range',
];

export interface SourceMappings {
  /** Names of the source indices. */
  readonly indices: readonly string[];
  /** Declaration of the match field in the index of the policy. */
  readonly matchField: JsonObject;
}

/** @throws index_not_found_exception (404) without a source, illegal_argument_exception for one whose mapping lacks a field */
export function sourceMappings(state: ClusterState, context: CoordinatorContext, policy: EnrichPolicy): SourceMappings {
  const nowMs = context.runtime.clock.wallMs();
  const options = { ...READ_INDICES_OPTIONS, allowNoIndices: false };
  const indices = resolveIndexNames(state, policy.indices.join(','), options, nowMs);
  const declared = indices.map((name) => {
    const mapping = state.metadata.indices.get(name)?.mapping ?? {};
    for (const field of policy.enrichFields) declarationOf(mapping, field);
    return declarationOf(mapping, policy.matchField);
  });
  return { indices, matchField: matchFieldOf(policy, declared) };
}

function matchFieldOf({ type, matchField }: EnrichPolicy, declared: readonly JsonObject[]): JsonObject {
  if (type === 'match') return { type: 'keyword', doc_values: false };
  if (type === 'geo_match') return { type: 'geo_shape' };
  const kinds = new Map(declared.map(({ type: kind, format }) => [JSON.stringify([kind, format]), { kind, format }]));
  if (kinds.size > 1) {
    throw illegalArgument(`field [${matchField}] has another type in some of the source indices than in others`);
  }
  const [one] = kinds.values();
  const kind = String(one?.kind);
  if (!RANGE_TYPES.includes(kind)) {
    throw illegalArgument(`Field '${matchField}' has type [${kind}] which doesn't appear to be a range type`);
  }
  return { type: kind, doc_values: false, ...(one?.format === undefined ? {} : { format: one.format }) };
}

/** Declaration of a field that stands in objects alone: fields of nested objects belong to no document of their own. */
function declarationOf(mapping: JsonObject, path: string): JsonObject {
  let declaration = mapping;
  let parent = 'root';
  for (const part of path.split('.')) {
    const { type = 'object', properties } = declaration;
    const problem = `Could not traverse mapping to field [${path}].`;
    if (parent !== 'root' && type !== 'object') {
      throw illegalArgument(`${problem} The [${parent}] field must be regular object but was [${String(type)}].`);
    }
    const child = isJsonObject(properties) && Object.hasOwn(properties, part) ? properties[part] : undefined;
    if (!isJsonObject(child)) {
      throw illegalArgument(`${problem} Could not find the [${part}] field under [${parent}]`);
    }
    declaration = child;
    parent = part;
  }
  return declaration;
}
