/**
 * Parts of requests that are declared as a list of fields: what each may hold and what takes its value.
 */
import { illegalArgument, type JsonNode, type JsonObjectNode } from '@shoal/core';
import { type NodeKinds, NUMBERS, readField, STRINGS, unknownField } from './content-errors.ts';
import { readNumber, readString } from './request-values.ts';

export interface DeclaredField {
  /** Kinds of values that may stand there. */
  readonly kinds: NodeKinds;
  /** Takes the value. */
  readonly read: (value: JsonNode, name: string) => void;
}

/** By name. */
export type DeclaredFields = Readonly<Record<string, DeclaredField>>;

/**
 * Hands every member of `node` to its field.
 *
 * @param where what errors call the part
 * @param required names that must be among the members
 */
export function readFields(
  node: JsonObjectNode,
  where: string,
  fields: DeclaredFields,
  required: readonly string[],
): void {
  const known = new Map(Object.entries(fields));
  const missing = new Set(required);
  for (const member of node.members) {
    const field = known.get(member.name);
    if (field === undefined) throw unknownField(where, member, known.keys());
    readField(where, member, () => field.read(member.value, member.name), field.kinds);
    missing.delete(member.name);
  }
  if (missing.size > 0) throw illegalArgument(`Required [${[...missing].join(', ')}]`);
}

/** Fields that every query has. */
export function baseFields(query: { boost: number; name: string | null }): DeclaredFields {
  return {
    boost: { kinds: NUMBERS, read: (value, name) => (query.boost = readNumber(value, name)) },
    _name: { kinds: STRINGS, read: (value, name) => (query.name = readString(value, name)) },
  };
}
