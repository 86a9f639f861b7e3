/** Settings of an index that say how its documents are read. */
import { isDeepStrictEqual } from 'node:util';
import type { TypedIndexSettings } from '@shoal/schema';

export type DocumentLimits = Pick<
  TypedIndexSettings,
  'nestedObjectsLimit' | 'totalFieldsLimit' | 'leavesOutFieldsBeyondLimit'
>;

/** True when documents are read in the same way under both. */
export function readAlike(some: TypedIndexSettings, other: TypedIndexSettings): boolean {
  return isDeepStrictEqual(readingOf(some), readingOf(other));
}

function readingOf(settings: TypedIndexSettings): DocumentLimits & Pick<TypedIndexSettings, 'fieldDefaults'> {
  const { fieldDefaults, nestedObjectsLimit, totalFieldsLimit, leavesOutFieldsBeyondLimit } = settings;
  return { fieldDefaults, nestedObjectsLimit, totalFieldsLimit, leavesOutFieldsBeyondLimit };
}
