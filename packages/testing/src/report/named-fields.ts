/**
 * Names of fields in a search as it was parsed: queries, order, aggregations, highlights, and what hits show. Names inside of scripts and
 * of the text of a query string are not among them.
 */

/** Members whose text is a field's name. */
const FIELD: ReadonlySet<string> = new Set(['field', 'useField', 'minimumField', 'defaultField']);
/** Members that are lists of names, or of objects with a `pattern`. */
const LISTS: ReadonlySet<string> = new Set(['fields', 'docValueFields', 'matchedFields', 'storedFields', 'includes']);
/** What users name as they like. */
const FREE: ReadonlySet<string> = new Set(['script', 'scriptFields', 'params', 'meta', 'runtimeMappings']);

type Found = (name: string) => void;

/** @returns names and patterns, as they were asked for */
export function namedFields(search: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  look(search, '', (name) => names.add(name));
  return names;
}

function look(value: unknown, under: string, found: Found): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  if (Array.isArray(value)) {
    for (const item of value) look(item, under, found);
    return;
  }
  const isNested = under === 'nested' || ('kind' in value && value.kind === 'nested');
  for (const [key, inner] of Object.entries(value)) {
    if (FREE.has(key)) continue;
    if (typeof inner === 'string' && (FIELD.has(key) || (key === 'path' && isNested))) found(inner);
    else if (LISTS.has(key) && Array.isArray(inner)) lookAtList(inner, found);
    else look(inner, key, found);
  }
}

function lookAtList(items: readonly unknown[], found: Found): void {
  for (const item of items) {
    if (typeof item === 'string') found(item);
    else if (typeof item === 'object' && item !== null && 'pattern' in item) found(String(item.pattern));
    look(item, '', found);
  }
}
