/**
 * Names of fields in a search as it was parsed: queries, order, aggregations, highlights, and what hits show; and of those inside of scripts,
 * stored ones too, and of the text of a query string the ones that are names for certain.
 */
import { fieldsOfQueryText } from './fields-of-query-text.ts';
import { fieldsOfScript } from './fields-of-script.ts';

/** Members whose text is a field's name. */
const FIELD: ReadonlySet<string> = new Set(['field', 'useField', 'minimumField', 'defaultField']);
/** Members that are lists of names, or of objects with a `pattern`. */
const LISTS: ReadonlySet<string> = new Set(['fields', 'docValueFields', 'matchedFields', 'storedFields', 'includes']);
/** What users name as they like. */
const FREE: ReadonlySet<string> = new Set(['params', 'meta', 'runtimeMappings']);

interface Found {
  readonly found: (name: string) => void;
  readonly foundScript: (id: string) => void;
}

export interface NamedFields {
  /** Names and patterns, as they were asked for. */
  readonly names: ReadonlySet<string>;
  /** Ids of stored scripts, which read fields too. */
  readonly scripts: ReadonlySet<string>;
}

export function namedFields(search: unknown): NamedFields {
  const [names, scripts] = [new Set<string>(), new Set<string>()];
  look(search, '', { found: (name) => names.add(name), foundScript: (id) => scripts.add(id) });
  return { names, scripts };
}

function look(value: unknown, under: string, names: Found): void {
  const { found } = names;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  if (Array.isArray(value)) {
    for (const item of value) look(item, under, names);
    return;
  }
  for (const name of writtenFields(value, names)) found(name);
  const isNested = under === 'nested' || ('kind' in value && value.kind === 'nested');
  for (const [key, inner] of Object.entries(value)) {
    if (FREE.has(key)) continue;
    if (typeof inner === 'string' && (FIELD.has(key) || (key === 'path' && isNested))) found(inner);
    else if (LISTS.has(key) && Array.isArray(inner)) lookAtList(inner, names);
    else look(inner, key, names);
  }
}

/** Fields in what is a text of its own: a query string, a script. */
function writtenFields(value: object, { foundScript }: Found): readonly string[] {
  if ('kind' in value && value.kind === 'queryString') {
    const { text, isEscaped } = value as { readonly text?: unknown; readonly isEscaped?: unknown };
    return typeof text === 'string' && isEscaped !== true ? fieldsOfQueryText(text) : [];
  }
  const { source, id, lang } = value as { readonly source?: unknown; readonly id?: unknown; readonly lang?: unknown };
  if (typeof lang !== 'string') return [];
  if (typeof id === 'string') foundScript(id);
  return typeof source === 'string' ? fieldsOfScript(source) : [];
}

function lookAtList(items: readonly unknown[], names: Found): void {
  const { found } = names;
  for (const item of items) {
    if (typeof item === 'string') found(item);
    else if (typeof item === 'object' && item !== null && 'pattern' in item) found(String(item.pattern));
    look(item, '', names);
  }
}
