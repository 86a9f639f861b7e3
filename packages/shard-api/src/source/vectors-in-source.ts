/**
 * `_source.exclude_vectors`: the fields of vectors that a mapping has, as names that a filter of the source leaves out.
 */
import type { SourceFilter } from '@shoal/query';
import type { FieldKind, Mapping } from '@shoal/schema';

/** Kinds of fields whose values are long lists of numbers that programs read, not people. */
const VECTOR_KINDS: ReadonlySet<FieldKind> = new Set(['dense_vector', 'knn_vector']);

/** The filter with names in place of the choice to leave out all vectors. */
export function namingVectors(filter: SourceFilter, mapping: Mapping): SourceFilter {
  if (filter.excludesVectors !== true) return filter;
  const { excludesVectors: _named, ...rest } = filter;
  const vectors = [...mapping.fields].flatMap(([name, field]) => (VECTOR_KINDS.has(field.kind) ? [name] : []));
  return { ...rest, excludes: [...rest.excludes, ...vectors] };
}
