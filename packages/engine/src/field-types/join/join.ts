/**
 * `join`: the kind of a document among parents and children, and the ids by which they meet.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import { type FieldMapping, parentIdField, parentKind } from '@shoal/schema';
import type { FieldType, FieldValue } from '../contract/field-type.ts';
import { ComposedValue } from '../contract/indexed-value.ts';
import { KEYWORD } from '../keyword/keyword.ts';

class JoinValue extends ComposedValue {
  readonly indexed: string;
  /** Id of the parent; null where the document says none. */
  readonly parent: string | null;

  constructor(name: string, parent: string | null) {
    super();
    this.indexed = name;
    this.parent = parent;
  }
}

export const JOIN: FieldType = {
  ...KEYWORD,
  tellsOwnErrors: true,
  read: (field, value) => (typeof value === 'object' && value !== null ? readObject(field, value) : readName(value)),
  check: () => {},
  spread: (field, value, document) =>
    value instanceof JoinValue
      ? joined(field, value, document)
      : joined(field, new JoinValue(String(value), null), document),
  printer: () => (value) => (value instanceof JoinValue ? value.indexed : value),
};

function readName(value: unknown): JoinValue {
  if (typeof value === 'string') return new JoinValue(value, null);
  const found = typeof value === 'boolean' ? 'VALUE_BOOLEAN' : 'VALUE_NUMBER';
  throw new ShoalError(
    'illegal_state_exception',
    400,
    `[null] expected START_OBJECT or VALUE_STRING but was: ${found}`,
  );
}

function readObject({ path }: FieldMapping, value: object): JoinValue {
  let name: string | null = null;
  let parent: string | null = null;
  for (const [key, member] of Object.entries(value)) {
    if (key === 'name' && typeof member === 'string') name = member;
    else if (key === 'parent' && ['string', 'number', 'bigint'].includes(typeof member)) parent = String(member);
    else throw illegalArgument(`unknown field name [${key}] in join field [${path}]`);
  }
  if (name === null) throw illegalArgument(`[name] is missing for join field [${path}]`);
  return new JoinValue(name, parent);
}

/** The kind, the id of the parent, and the document's own id under which its children name it. */
function joined(
  field: FieldMapping,
  { indexed: name, parent }: JoinValue,
  document: { readonly id: string; readonly routing: string | null },
): readonly FieldValue[] {
  const { path } = field;
  const above = parentKind(field, name);
  const own = parentIdField(field, name);
  if (above === null && own === null) throw illegalArgument(`unknown join name [${name}] for field [${path}]`);
  const values: FieldValue[] = [{ field, value: name }];
  if (above !== null) {
    if (parent === null) throw illegalArgument(`[parent] is missing for join field [${path}]`);
    // A child must lie on the shard of its parent.
    if (document.routing === null) throw illegalArgument(`[routing] is missing for join field [${path}]`);
    const ids = parentIdField(field, above);
    if (ids !== null) values.push({ field: ids, value: parent });
  }
  if (own !== null) values.push({ field: own, value: document.id });
  return values;
}
