/**
 * Parts of a word as `word_delimiter` and `word_delimiter_graph` cut it: at delimiters, where the case changes, between letters
 * and digits.
 */
import { illegalArgument } from '@shoal/core';
import { type ComponentOptions, readFlag, readList } from '../../tokens/component-options.ts';

/** Bits of the sorts of characters; a letter without case has both of its bits. */
const LOWER = 1;
const UPPER = 2;
const DIGIT = 4;
const DELIMITER = 8;
const ALPHA = LOWER | UPPER;

const TYPES: ReadonlyMap<string, number> = new Map([
  ['LOWER', LOWER],
  ['UPPER', UPPER],
  ['ALPHA', ALPHA],
  ['DIGIT', DIGIT],
  ['ALPHANUM', ALPHA | DIGIT],
  ['SUBWORD_DELIM', DELIMITER],
]);

/** Names of the options that both filters have. */
export const WORD_DELIMITER_OPTIONS: readonly string[] = [
  ...['generate_word_parts', 'generate_number_parts', 'catenate_words', 'catenate_numbers', 'catenate_all'],
  ...['split_on_case_change', 'preserve_original', 'split_on_numerics', 'stem_english_possessive'],
  ...['protected_words', 'type_table'],
];

export interface WordDelimiterOptions {
  readonly hasWordParts: boolean;
  readonly hasNumberParts: boolean;
  readonly joinsWords: boolean;
  readonly joinsNumbers: boolean;
  readonly joinsAll: boolean;
  readonly keepsOriginal: boolean;
  readonly splitsAtCase: boolean;
  readonly splitsAtNumbers: boolean;
  readonly dropsPossessive: boolean;
  /** Terms that are never cut. */
  readonly protectedWords: ReadonlySet<string>;
  /** Sorts of characters that are other than usual. */
  readonly table: ReadonlyMap<string, number>;
}

/** @throws ShoalError illegal_argument_exception */
export function readWordDelimiterOptions(options: ComponentOptions): WordDelimiterOptions {
  return {
    hasWordParts: readFlag(options, 'generate_word_parts', true),
    hasNumberParts: readFlag(options, 'generate_number_parts', true),
    joinsWords: readFlag(options, 'catenate_words', false),
    joinsNumbers: readFlag(options, 'catenate_numbers', false),
    joinsAll: readFlag(options, 'catenate_all', false),
    keepsOriginal: readFlag(options, 'preserve_original', false),
    splitsAtCase: readFlag(options, 'split_on_case_change', true),
    splitsAtNumbers: readFlag(options, 'split_on_numerics', true),
    dropsPossessive: readFlag(options, 'stem_english_possessive', true),
    protectedWords: new Set(readList(options, 'protected_words') ?? []),
    table: readTypeTable(options),
  };
}

function readTypeTable(options: ComponentOptions): ReadonlyMap<string, number> {
  const table = new Map<string, number>();
  for (const [i, line] of (readList(options, 'type_table') ?? []).entries()) {
    const [, left, right = ''] = /^(.*?)\s*=>\s*(.*?)\s*$/s.exec(line) ?? [];
    if (left === undefined) throw illegalArgument(`Line [${i + 1}]: Invalid mapping rule: [${line}]`);
    const character = left
      .trim()
      .replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code?: string, plain?: string) =>
        code === undefined ? (ESCAPES.get(plain ?? '') ?? plain ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
      );
    if (character.length !== 1) {
      throw illegalArgument(`Line [${i + 1}]: Invalid mapping rule: [${line}]. Only a single character is allowed.`);
    }
    const type = TYPES.get(right);
    if (type === undefined) throw illegalArgument(`Line [${i + 1}]: Invalid mapping rule: [${line}]. Illegal type.`);
    table.set(character, type);
  }
  return table;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
]);

/** A part of a word. */
export interface WordPart {
  readonly start: number;
  readonly end: number;
  /** It begins with a letter; a character beyond the basic plane counts as a letter and as a digit. */
  readonly isWord: boolean;
  /** It begins with a digit. */
  readonly isNumber: boolean;
}

export interface CutWord {
  readonly parts: readonly WordPart[];
  /** Nothing to cut: the word is its only part. */
  readonly isWhole: boolean;
}

/** Cuts a term into its parts; none where it has nothing but delimiters. */
export function cutWord(term: string, options: WordDelimiterOptions): CutWord {
  const types = [...Array(term.length).keys()].map((i) => typeOf(term[i] ?? '', options.table));
  let start = 0;
  let limit = term.length;
  while (start < limit && isDelimiter(types[start])) start++;
  while (limit > start && isDelimiter(types[limit - 1])) limit--;
  const isPlain = start === 0 && limit === term.length;
  const parts: WordPart[] = [];
  for (let at = start; at < limit; ) {
    const end = partEnd(types, at, limit, options);
    const type = types[at] ?? DELIMITER;
    parts.push({ start: at, end, isWord: (type & ALPHA) !== 0, isNumber: (type & DIGIT) !== 0 });
    at = end;
    if (options.dropsPossessive && isPossessive(term, at, limit, types)) at += 2;
    while (at < limit && isDelimiter(types[at])) at++;
  }
  const [only] = parts;
  return {
    parts,
    isWhole: isPlain && parts.length === 1 && only !== undefined && only.end - only.start === term.length,
  };
}

function partEnd(types: readonly number[], start: number, limit: number, options: WordDelimiterOptions): number {
  let last = types[start] ?? DELIMITER;
  let end = start + 1;
  for (; end < limit; end++) {
    const type = types[end] ?? DELIMITER;
    if (isBreak(last, type, options)) break;
    last = type;
  }
  return end;
}

function isBreak(last: number, type: number, { splitsAtCase, splitsAtNumbers }: WordDelimiterOptions): boolean {
  if ((type & last) !== 0) return false;
  if (!splitsAtCase && (last & ALPHA) !== 0 && (type & ALPHA) !== 0) return false;
  // A capital goes on as a word in lower case.
  if ((last & UPPER) !== 0 && (type & LOWER) !== 0) return false;
  if (splitsAtNumbers) return true;
  return !(((last & ALPHA) !== 0 && (type & DIGIT) !== 0) || ((last & DIGIT) !== 0 && (type & ALPHA) !== 0));
}

function isDelimiter(type: number | undefined): boolean {
  return type === DELIMITER;
}

/** A part that ends at `end` has `'s` behind it, and then nothing or a delimiter. */
function isPossessive(term: string, end: number, limit: number, types: readonly number[]): boolean {
  if (term[end] !== "'" || !/^[sS]/.test(term.slice(end + 1)) || !isLetter(types[end - 1])) return false;
  return end + 2 >= limit || isDelimiter(types[end + 2]);
}

function isLetter(type: number | undefined): boolean {
  return ((type ?? 0) & ALPHA) !== 0;
}

function typeOf(unit: string, table: ReadonlyMap<string, number>): number {
  const given = table.get(unit);
  if (given !== undefined) return given;
  // Without a table of its own a filter knows only the digits of ASCII as such below U+0100.
  if (table.size === 0 && unit < '\u0100' && /[\p{No}\p{Lo}]/u.test(unit)) return /[ªº]/.test(unit) ? LOWER : DELIMITER;
  if (/\p{Ll}/u.test(unit)) return LOWER;
  if (/\p{Lu}/u.test(unit)) return UPPER;
  if (/[\p{Lt}\p{Lm}\p{Lo}\p{M}]/u.test(unit)) return ALPHA;
  if (/\p{N}/u.test(unit)) return DIGIT;
  // Half of a character beyond the basic plane: with the other half it is a letter of some kind.
  if (/[\ud800-\udfff]/.test(unit)) return ALPHA | DIGIT;
  return DELIMITER;
}

/** Whether a part of a word comes out by itself; of a word of one part it always does. */
export function partTest(parts: readonly WordPart[], options: WordDelimiterOptions): (part: WordPart) => boolean {
  if (parts.length === 1) return () => true;
  return ({ isWord, isNumber }) => (isWord && options.hasWordParts) || (isNumber && options.hasNumberParts);
}

/** Joined parts: from the first to the last of a run, and how many they are. */
export interface JoinedParts {
  readonly first: number;
  readonly count: number;
}

/** Runs of parts that `catenate_words` or `catenate_numbers` join; one alone too. */
export function joinedRuns(parts: readonly WordPart[], options: WordDelimiterOptions): readonly JoinedParts[] {
  const runs: { first: number; count: number }[] = [];
  for (const [i, part] of parts.entries()) {
    const last = runs.at(-1);
    const first = last === undefined ? undefined : parts[last.first];
    if (last !== undefined && first !== undefined && isSameSort(first, part)) last.count++;
    else runs.push({ first: i, count: 1 });
  }
  return runs.filter(({ first }) => isJoinedSort(parts[first], options));
}

/** Whether two parts may be joined. */
export function isSameSort(a: WordPart, b: WordPart): boolean {
  return (a.isWord && b.isWord) || (a.isNumber && b.isNumber);
}

/** Whether the options join parts of this sort. */
export function isJoinedSort(part: WordPart | undefined, options: WordDelimiterOptions): boolean {
  return (part?.isWord === true && options.joinsWords) || (part?.isNumber === true && options.joinsNumbers);
}
