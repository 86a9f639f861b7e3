/**
 * Stored fields whose values `_source` leaves out: segments keep those values beside the source.
 *
 * Other stored fields cost nothing, since their values stand in the source.
 */
import type { FieldMapping } from './field-mapping.ts';
import { keepsPath, keepsWhole, type SourceRule } from './source-rule.ts';

export interface StoredApart {
  /** Paths of the fields. */
  readonly fields: ReadonlySet<string>;
  /** Paths of documents that have their values: their own, and those that are copied to them. */
  readonly valuePaths: readonly string[];
}

/** Paths of documents that have a field's values: its own, or that of the field it belongs to, then those that are copied to it. */
export function valuePathsOf(fields: ReadonlyMap<string, FieldMapping>, field: FieldMapping): readonly string[] {
  const own = field.isMultiField ? field.path.slice(0, field.path.lastIndexOf('.')) : field.path;
  const copied = [...fields.values()].filter(({ copyTo }) => copyTo.includes(own));
  return [own, ...copied.map(({ path }) => path)];
}

/** null where the source has the values of all stored fields. */
export function storedApartOf(fields: ReadonlyMap<string, FieldMapping>, source: SourceRule): StoredApart | null {
  if (keepsWhole(source)) return null;
  const apart = new Set<string>();
  const valuePaths = new Set<string>();
  for (const field of fields.values()) {
    if (!field.isStored) continue;
    const paths = valuePathsOf(fields, field);
    if (paths.every((path) => keepsPath(source, path))) continue;
    apart.add(field.path);
    for (const path of paths) valuePaths.add(path);
  }
  return apart.size === 0 ? null : { fields: apart, valuePaths: [...valuePaths] };
}
