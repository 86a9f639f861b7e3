/**
 * Names of fields in a search as it was parsed: queries, order, aggregations, highlights, and what hits show; and of those inside of scripts
 * and of the text of a query string the ones that are names for certain.
 */
import { fieldsOfQueryText } from './fields-of-query-text.ts';
import { fieldsOfScript } from './fields-of-script.ts';

/** Members whose text is a field's name. */
const FIELD: ReadonlySet<string> = new Set(['field', 'useField', 'minimumField', 'defaultField']);
/** Members that are lists of names, or of objects with a `pattern`. */
const LISTS: ReadonlySet<string> = new Set(['fields', 'docValueFields', 'matchedFields', 'storedFields', 'includes']);
/** What users name as they like. */
const FREE: ReadonlySet<string> = new Set(['params', 'meta', 'runtimeMappings']);

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
  for (const name of writtenFields(value)) found(name);
  const isNested = under === 'nested' || ('kind' in value && value.kind === 'nested');
  for (const [key, inner] of Object.entries(value)) {
    if (FREE.has(key)) continue;
    if (typeof inner === 'string' && (FIELD.has(key) || (key === 'path' && isNested))) found(inner);
    else if (LISTS.has(key) && Array.isArray(inner)) lookAtList(inner, found);
    else look(inner, key, found);
  }
}

/** Fields in what is a text of its own: a query string, a script. */
function writtenFields(value: object): readonly string[] {
  if ('kind' in value && value.kind === 'queryString') {
    const { text, isEscaped } = value as { readonly text?: unknown; readonly isEscaped?: unknown };
    return typeof text === 'string' && isEscaped !== true ? fieldsOfQueryText(text) : [];
  }
  const { source, lang } = value as { readonly source?: unknown; readonly lang?: unknown };
  return typeof source === 'string' && typeof lang === 'string' ? fieldsOfScript(source) : [];
}

function lookAtList(items: readonly unknown[], found: Found): void {
  for (const item of items) {
    if (typeof item === 'string') found(item);
    else if (typeof item === 'object' && item !== null && 'pattern' in item) found(String(item.pattern));
    look(item, '', found);
  }
}
