/**
 * Sets of characters as `tr`, `delete`, `count` and `squeeze` write them: `a-z`, `^0-9`, `\-`.
 */
import { argumentError } from '../values/ruby-exception.ts';

export type CharacterSet = (char: string) => boolean;

interface Listed {
  readonly chars: readonly string[];
  readonly isNegated: boolean;
}

/** Ranges longer than this are mistakes. */
const RANGE_MAX = 0x11_0000;

function listed(text: string): Listed {
  const chars = Array.from(text);
  const isNegated = chars.length > 1 && chars[0] === '^';
  const made: string[] = [];
  for (let i = isNegated ? 1 : 0; i < chars.length; i++) {
    const char = chars[i] ?? '';
    if (char === '\\' && i + 1 < chars.length) made.push(chars[++i] ?? '');
    else if (chars[i + 1] === '-' && i + 2 < chars.length) {
      const from = char.codePointAt(0) ?? 0;
      const to = (chars[i + 2] ?? '').codePointAt(0) ?? 0;
      if (from > to) throw argumentError(`invalid range "${char}-${chars[i + 2]}" in string transliteration`);
      for (let code = from; code <= Math.min(to, from + RANGE_MAX); code++) made.push(String.fromCodePoint(code));
      i += 2;
    } else made.push(char);
  }
  return { chars: made, isNegated };
}

/** Characters that are in all of the sets. */
export function characterSets(texts: readonly string[]): CharacterSet {
  if (texts.length === 0) throw argumentError('wrong number of arguments (given 0, expected 1+)');
  const sets = texts.map((text) => {
    const { chars, isNegated } = listed(text);
    const own = new Set(chars);
    return (char: string): boolean => own.has(char) !== isNegated;
  });
  return (char) => sets.every((set) => set(char));
}

export function deleteSet(text: string, set: CharacterSet): string {
  let made = '';
  for (const char of text) if (!set(char)) made += char;
  return made;
}

export function countSet(text: string, set: CharacterSet): number {
  let count = 0;
  for (const char of text) if (set(char)) count++;
  return count;
}

/** @param set null for all characters */
export function squeezed(text: string, set: CharacterSet | null): string {
  let made = '';
  let last = '';
  for (const char of text) {
    if (char !== last || (set !== null && !set(char))) made += char;
    last = char;
  }
  return made;
}

export function translated(text: string, from: string, to: string, squeezes: boolean): string {
  const source = listed(from);
  const target = listed(to).chars;
  const last = target.at(-1) ?? '';
  const places = new Map<string, number>();
  for (const [index, char] of source.chars.entries()) if (!places.has(char)) places.set(char, index);
  let made = '';
  let previous: string | null = null;
  for (const char of text) {
    const place = places.get(char);
    if ((place === undefined) !== source.isNegated) {
      made += char;
      previous = null;
      continue;
    }
    const replacement = source.isNegated ? last : (target[place ?? 0] ?? last);
    if (!squeezes || replacement !== previous) made += replacement;
    previous = replacement;
  }
  return made;
}
