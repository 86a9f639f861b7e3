/**
 * The expression with which `kv` finds pairs: a key, what splits it from the value, and a value that may be quoted or bracketed.
 */
import { compileRubyRegex } from '@shoal/ruby-regex';

export interface KvSplitter {
  readonly pattern: string;
  /** The pattern is a set of characters. */
  readonly isClass: boolean;
}

export interface KvScannerOptions {
  readonly fieldSplit: KvSplitter;
  readonly valueSplit: KvSplitter;
  readonly includesBrackets: boolean;
  /** No blanks around what splits key and value. */
  readonly isStrict: boolean;
}

export interface KvScanner {
  /** In Ruby's dialect. */
  readonly source: string;
  scan(text: string): IterableIterator<{ readonly key: string; readonly value: string }>;
}

const ESCAPED = '\\\\.';

export function compileKvScanner(options: KvScannerOptions): KvScanner {
  const field = options.fieldSplit.isClass ? `[${options.fieldSplit.pattern}]` : `(?:${options.fieldSplit.pattern})`;
  const value = options.valueSplit.isClass ? `[${options.valueSplit.pattern}]` : `(?:${options.valueSplit.pattern})`;
  const blanks = options.isStrict ? '' : '\\s*';
  const values = [quoted('"', '"'), quoted("'", "'")];
  if (options.includesBrackets) values.push(quoted('\\(', '\\)'), quoted('\\[', '\\]'), quoted('<', '>'));
  values.push(`(${until([options.fieldSplit], [field], '+')})`);
  const key = `(${until([options.fieldSplit, options.valueSplit], [field, value], '+?')})`;
  const source = `${key}${blanks}${value}${blanks}(?:${values.join('|')})?(?:${field}|\\z)`;
  const regex = compileRubyRegex(source, 'g');
  const canSplit = compileRubyRegex(value);
  return {
    source,
    *scan(text) {
      if (!canSplit.test(text)) return;
      regex.lastIndex = 0;
      for (const match of text.matchAll(regex)) {
        const [, found = '', ...groups] = match;
        yield { key: found, value: groups.find((group) => group !== undefined) ?? '' };
      }
    },
  };
}

/** The brackets or quotes themselves are dropped; an escaped one does not end the value. */
function quoted(open: string, close: string): string {
  const inside = close.length === 1 ? close : close.slice(-1);
  return `${open}((?:${ESCAPED}|[^\\\\\\${inside}])*)${close}`;
}

/** Characters up to a splitter; a backslash keeps the one behind it from splitting. */
function until(splitters: readonly KvSplitter[], patterns: readonly string[], times: string): string {
  if (splitters.every((splitter) => splitter.isClass)) {
    const set = splitters.map((splitter) => splitter.pattern).join('');
    return `(?:${ESCAPED}|[^\\\\${set}]|\\\\\\z)${times}`;
  }
  return `(?:${ESCAPED}|(?!${patterns.join('|')})[^\\\\]|\\\\\\z)${times}`;
}
