/**
 * Values of a field as its document gave them, multi-fields and copies included.
 */

import { type FieldMapping, isWholeValue, type Mapping, valuePathsOf } from '@shoal/schema';
import { valuesAtPath } from '@shoal/shard-api';

/** JSON of a document, or of an object in it. */
export interface SourceObject {
  values(): unknown;
}

/**
 * Values as in the document, with the field's `null_value` for null; null without one is left out.
 *
 * @param prefix path of the object in the document, with its dot; '' for the document
 */
export function sourceValues(
  mapping: Mapping,
  field: FieldMapping,
  object: SourceObject,
  prefix = '',
): readonly unknown[] {
  if (!field.path.startsWith(prefix)) return [];
  if (field.constant !== null) return [field.constant];
  const isWhole = (value: object): boolean => isWholeValue(field.kind, value);
  const at = (path: string) => valuesAtPath(object.values(), path.slice(prefix.length), isWhole);
  return valuePathsOf(mapping.fields, field)
    .filter((path) => path.startsWith(prefix))
    .flatMap(at)
    .map((value) => value ?? field.nullValue)
    .filter((value) => value !== null && (typeof value !== 'object' || isWhole(value)));
}
