/**
 * Fields by the keys of a dissect pattern, as Elasticsearch makes them: `+name` joins parts, `*name` and `&name` are name and value of one.
 */
import { illegalArgument } from '@shoal/core';
import { compileDissect, type DissectKey, type DissectPattern } from './dissect-pattern.ts';

/** `field`: a value of its own; `append`: a part of one; `name` and `value` of equal texts make one field together. */
type Role = 'field' | 'append' | 'name' | 'value' | 'skip';

interface Part {
  readonly role: Role;
  readonly name: string;
  readonly order: number;
}

export interface DissectFields {
  /** Values by field; null where the text does not fit. */
  readonly of: (text: string) => ReadonlyMap<string, string> | null;
}

/**
 * @param separator stands between joined parts
 * @throws illegal_argument_exception (400) for what is no pattern
 */
export function compileDissectFields(source: string, separator: string): DissectFields {
  const pattern = compileDissect(source);
  if (pattern.keys.length === 0) throw illegalArgument('Unable to find any keys or delimiters.');
  // Nothing says where the first of two keys ends that stand side by side.
  if (pattern.delimiters.slice(0, -1).includes('')) {
    throw illegalArgument('two keys without a delimiter between them');
  }
  const parts = pattern.keys.map(partOf);
  checkPairs(parts);
  return {
    of: (text) => {
      const found = keyTexts(pattern, text);
      return found === null ? null : valuesOf(parts, found, separator);
    },
  };
}

/**
 * Texts of the keys in their order; null where a delimiter is missing. A delimiter that is repeated leaves the keys behind it empty,
 * whatever delimiters they have themselves; the last key with them, and what stands behind is dropped.
 */
function keyTexts({ prefix, keys, delimiters }: DissectPattern, text: string): readonly string[] | null {
  if (text.length <= prefix.length || !text.startsWith(prefix)) return null;
  const found: string[] = [];
  let position = prefix.length;
  while (found.length < keys.length) {
    const delimiter = delimiters[found.length] ?? '';
    const end = delimiter === '' ? text.length : text.indexOf(delimiter, position);
    if (end < 0) return null;
    found.push(text.slice(position, end));
    position = end + delimiter.length;
    while (delimiter !== '' && text.startsWith(delimiter, position)) {
      position += delimiter.length;
      if (keys[found.length - 1]?.isGreedy === true) continue;
      if (found.length === keys.length) break;
      found.push('');
    }
  }
  return found;
}

function checkPairs(parts: readonly Part[]): void {
  const names = parts.filter(({ role }) => role === 'name').map(({ name }) => name);
  const values = parts.filter(({ role }) => role === 'value').map(({ name }) => name);
  const alone = [...names, ...values].find(
    (name) => names.filter((n) => n === name).length !== 1 || values.filter((n) => n === name).length !== 1,
  );
  if (alone === undefined) return;
  throw illegalArgument(
    `Found invalid key/reference associations: '${alone}' Please ensure each '*<key>' is matched with a matching '&<key>`,
  );
}

function partOf({ kind, name, order }: DissectKey): Part {
  if (kind === 'append') return { role: 'append', name, order };
  if (kind === 'indirect') return { role: 'value', name, order };
  if (kind === 'field' && name.startsWith('*') && name !== '*') return { role: 'name', name: name.slice(1), order };
  return { role: kind === 'field' ? 'field' : 'skip', name, order };
}

function valuesOf(parts: readonly Part[], found: readonly string[], separator: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const appended = new Set(parts.filter(({ role }) => role === 'append').map(({ name }) => name));
  for (const [at, { role, name }] of parts.entries()) {
    const text = found[at] ?? '';
    if (role === 'field' && !appended.has(name)) values.set(name, text);
    else if (role === 'name')
      values.set(text, found[parts.findIndex((p) => p.role === 'value' && p.name === name)] ?? '');
  }
  for (const name of appended) {
    const pieces = parts.flatMap((part, at) =>
      part.name === name && (part.role === 'append' || part.role === 'field') ? [{ part, text: found[at] ?? '' }] : [],
    );
    pieces.sort((a, b) => a.part.order - b.part.order);
    values.set(name, pieces.map(({ text }) => text).join(separator));
  }
  return values;
}
