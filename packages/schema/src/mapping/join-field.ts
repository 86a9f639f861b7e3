/**
 * The join field of a mapping, and the fields that it has besides its own: for each kind of parent, the id of the parent document.
 * A parent has its own id there, each of its children that of the parent, so that both meet in one term.
 */
import type { FieldMapping } from './field-mapping.ts';
import type { Mapping } from './mapping.ts';

/** null: the index has none. */
export function joinFieldOf({ fields }: Pick<Mapping, 'fields'>): FieldMapping | null {
  for (const field of fields.values()) if (field.kind === 'join') return field;
  return null;
}

/** Field of the ids of the parents of one kind; null where the kind has no children. */
export function parentIdField(join: FieldMapping, parent: string): FieldMapping | null {
  if (!join.relations.has(parent)) return null;
  return { ...join, path: `${join.path}#${parent}`, kind: 'keyword', isKeyed: true };
}

/** Kind of the parents of a kind of documents; null where they have none. */
export function parentKind({ relations }: FieldMapping, child: string): string | null {
  for (const [parent, children] of relations) if (children.includes(child)) return parent;
  return null;
}

/** Field of a name that a join field has besides its own; null for other names. */
export function joinIdFieldNamed(fields: ReadonlyMap<string, FieldMapping>, name: string): FieldMapping | null {
  const at = name.indexOf('#');
  const join = at < 0 ? undefined : fields.get(name.slice(0, at));
  return join?.kind === 'join' ? parentIdField(join, name.slice(at + 1)) : null;
}
