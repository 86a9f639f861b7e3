/**
 * The little language of `dissect`: `%{key}` between delimiters, compiled once and run by looking for the delimiters.
 */
import { ShoalError } from '@shoal/core';

export type DissectKind = 'field' | 'skip' | 'append' | 'indirect' | 'named';

export interface DissectKey {
  readonly kind: DissectKind;
  readonly name: string;
  /** Order of an appended part: smaller first; 0 without one. Equal ones keep their order. */
  readonly order: number;
  /** `->`: repeated delimiters behind it are one. */
  readonly isGreedy: boolean;
  /** Delimiter before the key: joins appended parts. */
  readonly before: string;
}

export interface DissectPattern {
  /** Must stand at the very beginning. */
  readonly prefix: string;
  readonly keys: readonly DissectKey[];
  /** Delimiters behind each key; the last may be empty: the key takes the rest. */
  readonly delimiters: readonly string[];
}

const KEY = /%\{([^}]*)\}/g;
const SUFFIX = /(?:\/(\d{1,2})(->)?|(->)(?:\/(\d{1,2}))?)$/;

/** A mapping without keys fits nothing. @throws ShoalError for `+&`, and for a `+` or `&` without a name */
export function compileDissect(mapping: string): DissectPattern {
  const keys: DissectKey[] = [];
  const delimiters: string[] = [];
  let prefix = '';
  let end = 0;
  for (const match of mapping.matchAll(KEY)) {
    const between = mapping.slice(end, match.index);
    if (keys.length === 0) prefix = between;
    else delimiters.push(between);
    keys.push(keyOf(match[1] ?? '', between, mapping));
    end = match.index + match[0].length;
  }
  delimiters.push(mapping.slice(end));
  return { prefix, keys, delimiters };
}

function keyOf(text: string, before: string, mapping: string): DissectKey {
  if (/^(?:\+&|&\+)/.test(text)) throw invalid(mapping, `%{${text}} cannot both append and be indirect`);
  const mark = /^[+&?]/.exec(text)?.[0] ?? '';
  const rest = text.slice(mark.length);
  const suffix = SUFFIX.exec(rest);
  const name = suffix === null ? rest : rest.slice(0, suffix.index);
  if (name === '' && (mark === '+' || mark === '&')) throw invalid(mapping, `%{${text}} has no name`);
  const order = suffix?.[1] ?? suffix?.[4];
  return {
    kind: name === '' ? 'skip' : (KINDS.get(mark) ?? 'field'),
    name,
    order: order === undefined || mark !== '+' ? 0 : Number(order),
    isGreedy: (suffix?.[2] ?? suffix?.[3]) !== undefined,
    before,
  };
}

const KINDS: ReadonlyMap<string, DissectKind> = new Map([
  ['+', 'append'],
  ['&', 'indirect'],
  ['?', 'named'],
]);

/** The texts of the keys, in their order; null when a delimiter is missing. */
export function dissectText(pattern: DissectPattern, text: string): readonly string[] | null {
  if (text === '' || pattern.keys.length === 0 || !text.startsWith(pattern.prefix)) return null;
  const values: string[] = [];
  let position = pattern.prefix.length;
  for (const [index, key] of pattern.keys.entries()) {
    const delimiter = pattern.delimiters[index] ?? '';
    if (delimiter === '') {
      // Nothing behind it: the last key takes the rest, one before another key takes nothing.
      const isLast = index === pattern.keys.length - 1;
      values.push(isLast ? text.slice(position) : '');
      if (isLast) position = text.length;
      continue;
    }
    const found = text.indexOf(delimiter, position);
    if (found < 0) return null;
    values.push(text.slice(position, found));
    position = found + delimiter.length;
    while (key.isGreedy && text.startsWith(delimiter, position)) position += delimiter.length;
  }
  return values;
}

function invalid(mapping: string, why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `invalid dissect mapping [${mapping}]: ${why}`);
}
