/**
 * Kind of field that requests are told for a field that a declaration makes beside its own.
 */
import type { FieldMapping } from './field-mapping.ts';

/** `prefix` for the field of beginnings, `phrase` for that of the pairs of a text; null: the kind is that of the declaration. */
export function sideFieldKind({ kind, grams }: Pick<FieldMapping, 'kind' | 'grams'>): 'phrase' | 'prefix' | null {
  if (grams === null) return null;
  if (grams.prefixes !== null) return 'prefix';
  return kind === 'text' ? 'phrase' : null;
}
