/**
 * Values of a field as its document gave them, multi-fields and copies included.
 */

import type { FieldMapping, Mapping } from '@shoal/schema';
import { valuesAtPath } from '@shoal/shard-api';
import type { FetchedDocument } from './fetched-document.ts';

/** Values as in the document, with the field's `null_value` for null; null without one is left out. */
export function sourceValues(mapping: Mapping, field: FieldMapping, document: FetchedDocument): readonly unknown[] {
  const own = field.isMultiField ? field.path.slice(0, field.path.lastIndexOf('.')) : field.path;
  const found: unknown[] = [...valuesAtPath(document.values(), own)];
  for (const other of mapping.fields.values()) {
    if (other.copyTo.includes(own)) found.push(...valuesAtPath(document.values(), other.path));
  }
  return found.map((value) => value ?? field.nullValue).filter((value) => value !== null && typeof value !== 'object');
}
