/**
 * Sets of characters as ICU writes them, `[^åäö]` or `[[:Letter:][0-9]]`: which parts of a text a normalization is for.
 *
 * Unions, ranges, complements, differences and intersections of sets, classes in `[: :]` and `\p{ }` and escapes are read. Strings, variables
 * and what mixes operators are refused: they would be read as something else.
 */
import { illegalArgument } from '@shoal/core';

/** Longest pattern. */
const PATTERN_MAX = 10_000;

/** One character, perhaps escaped; a class; or a bracket. */
const PIECE =
  /\\[uU]\{?[0-9a-fA-F]{1,8}\}?|\\x[0-9a-fA-F]{2}|\\[pP]\{[\w= ]+\}|\[:\^?[\w= ]+:\]|\\.|\[\^?|\]|-|[^\\[\]]/gsu;

/**
 * @returns an expression that fits one run of characters of the set, global
 * @throws ShoalError illegal_argument_exception for a pattern that is not read
 */
export function characterRuns(pattern: string): RegExp {
  const pieces = pattern.length > PATTERN_MAX ? null : pattern.match(PIECE);
  if (pieces === null || pieces.join('') !== pattern || !pattern.startsWith('[')) throw unreadable(pattern);
  const parts = pieces.filter((piece) => !/^\s$/.test(piece));
  const source = parts.map((piece, i) => {
    const isOperator = /^[-&]$/.test(piece) && isSetEnd(parts[i - 1]) && isSetStart(parts[i + 1]);
    if (piece === '-' && parts[i - 1] === '-') throw unreadable(pattern);
    return isOperator ? piece + piece : translated(piece, pattern);
  });
  try {
    return new RegExp(`${source.join('')}+`, 'gv');
  } catch {
    // The one failure of the constructor: a pattern that is none.
    throw unreadable(pattern);
  }
}

function isSetEnd(piece: string | undefined): boolean {
  return piece === ']' || (piece ?? '').endsWith(':]');
}

function isSetStart(piece: string | undefined): boolean {
  return (piece ?? '').startsWith('[');
}

function translated(piece: string, pattern: string): string {
  if (piece === '[' || piece === '[^' || piece === ']' || piece === '-') return piece;
  const codePoint = /^\\[uUx]\{?([0-9a-fA-F]+)\}?$/.exec(piece)?.[1];
  if (codePoint !== undefined) return `\\u{${codePoint}}`;
  const [, sign = '', name] = /^\[:(\^?)([\w= ]+):\]$/.exec(piece) ?? [];
  if (name !== undefined) return classOf(sign === '' ? 'p' : 'P', name.trim(), pattern);
  const [, letter = '', property] = /^\\([pP])\{([\w= ]+)\}$/.exec(piece) ?? [];
  if (property !== undefined) return classOf(letter, property.trim(), pattern);
  if (/^[&${}]$/.test(piece)) throw unreadable(pattern);
  const character = piece.startsWith('\\') ? piece.slice(1) : piece;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** A property may be named by its value alone, also that of a script. */
function classOf(letter: string, name: string, pattern: string): string {
  const property = [name, `Script=${name}`].find(isProperty);
  if (property === undefined) throw unreadable(pattern);
  return `\\${letter}{${property}}`;
}

function isProperty(name: string): boolean {
  try {
    return new RegExp(`\\p{${name}}`, 'v').source !== '';
  } catch {
    // The one failure of the constructor: there is no such property.
    return false;
  }
}

function unreadable(pattern: string): Error {
  return illegalArgument(`unicode_set_filter [${pattern}] is not a set of characters that can be read`);
}
