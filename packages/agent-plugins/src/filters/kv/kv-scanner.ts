/**
 * The expression with which `kv` finds pairs: a key, what splits it from the value, a value that may be quoted or
 * bracketed, and what ends it: a field splitter or the end of a line.
 *
 * What ends a key or an unquoted value is a class of characters unless a pattern was given. Every part is written in
 * Ruby's dialect, where the dot stops at a line break and `$` stands before one.
 */
import { compileRubyRegex } from '@shoal/ruby-regex';

export interface KvScannerOptions {
  /** Characters of a class, as they stand between its brackets. */
  readonly fieldSplit: string;
  readonly valueSplit: string;
  /** A pattern given instead of the characters. */
  readonly fieldSplitPattern: string | null;
  readonly valueSplitPattern: string | null;
  readonly includesBrackets: boolean;
  /** No blanks around what splits key and value. */
  readonly isStrict: boolean;
}

export interface KvPair {
  readonly key: string;
  /** Empty when there is none. */
  readonly value: string;
}

export interface KvScanner {
  /** In Ruby's dialect. */
  readonly source: string;
  scan(text: string): Generator<KvPair, void, undefined>;
}

const ESCAPED = '\\\\.';
const END_OF_LINE = '$';

export function compileKvScanner(options: KvScannerOptions): KvScanner {
  const field = group(options.fieldSplitPattern ?? `[${options.fieldSplit}]`);
  const split = group(options.valueSplitPattern ?? `[${options.valueSplit}]`);
  const splitter = options.isStrict ? split : group(` *${split} *`);
  const hasPattern = options.fieldSplitPattern !== null || options.valueSplitPattern !== null;
  const key = hasPattern ? untilPattern(`${splitter}|${field}`) : untilClass(options.valueSplit + options.fieldSplit);
  const values = [quoted('"', '"'), quoted("'", "'")];
  if (options.includesBrackets) values.push(quoted('\\(', '\\)'), quoted('\\[', '\\]'), quoted('<', '>'));
  values.push(options.fieldSplitPattern === null ? untilClass(options.fieldSplit) : untilPattern(field));
  const source = group(`${key}${splitter}(?:${values.join('|')})?(?:${field}|${END_OF_LINE})`);
  const regex = compileRubyRegex(source, 'g');
  const canSplit = compileRubyRegex(group(splitter));
  return {
    source,
    *scan(text) {
      if (!canSplit.test(text)) return;
      regex.lastIndex = 0;
      for (const [, key = '', ...groups] of text.matchAll(regex))
        yield { key, value: groups.find((one) => one !== undefined) ?? '' };
    },
  };
}

/** Keeps options of the pattern inside it; a dot that crosses lines would take several lines for one key. */
function group(pattern: string): string {
  return `(?-m:${pattern})`;
}

/** The brackets or quotes themselves are dropped; an escaped one does not end the value. */
function quoted(open: string, close: string): string {
  return `${open}${untilClass(close)}?${close}`;
}

/** Characters up to one of the class; a backslash keeps the one behind it. */
function untilClass(characters: string): string {
  return `((?:${ESCAPED}|[^${characters}])+)`;
}

/** Characters up to where the pattern matches, which a backslash may begin; elsewhere it keeps the one behind it. */
function untilPattern(pattern: string): string {
  return `((?:(?!${pattern})(?:${ESCAPED}|.))+)`;
}
