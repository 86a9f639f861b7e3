/**
 * Fields below a field that takes objects whole: one for each key that documents have, which no mapping lists.
 */
import { isFieldKind, typeOfField } from '../field-types/declared-types.ts';
import type { FieldMapping } from './field-mapping.ts';

/** Field of the values that an object field has under a key, which may be a path; null where its type has none. */
export function keyedField(field: FieldMapping, key: string): FieldMapping | null {
  const { keyKind } = typeOfField(field.kind);
  if (keyKind === undefined || !isFieldKind(keyKind)) return null;
  const path = `${field.path}.${key}`;
  return { ...field, path, kind: keyKind, isMultiField: false, isKeyed: true, multiFields: [], copyTo: [] };
}

/** Field of a name below one of the fields; null where none of them takes objects whole. */
export function keyedFieldNamed(fields: ReadonlyMap<string, FieldMapping>, name: string): FieldMapping | null {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const above = fields.get(name.slice(0, dot));
    if (above !== undefined) return keyedField(above, name.slice(dot + 1));
  }
  return null;
}
