/**
 * Core patterns whose texts hold nothing that JSON must escape: no quote, no backslash, no control character, no half of a
 * surrogate pair. What they captured is printed without a look at it.
 */
import type { PatternLibrary } from './pattern-library.ts';

const CLEAN: readonly string[] = [
  ...['INT', 'BASE10NUM', 'NUMBER', 'BASE16NUM', 'POSINT', 'NONNEGINT', 'WORD', 'UUID', 'LOGLEVEL'],
  ...['USERNAME', 'USER', 'EMAILLOCALPART', 'EMAILADDRESS', 'HTTPDUSER', 'IPV4', 'HOSTNAME'],
  ...['MONTH', 'MONTHNUM', 'MONTHNUM2', 'MONTHDAY', 'DAY', 'YEAR', 'HOUR', 'MINUTE', 'SECOND', 'TIME'],
  ...['HTTPDATE', 'SYSLOGTIMESTAMP', 'TIMESTAMP_ISO8601', 'ISO8601_TIMEZONE'],
];
const NAMES = /%\{(\w+)/g;

const cleanOfStock = new WeakMap<PatternLibrary, ReadonlySet<string>>();

/** The names of them that `library` defines with the stock text, they and all that they are made of. */
export function cleanPatterns(library: PatternLibrary, stock: PatternLibrary): ReadonlySet<string> {
  if (library !== stock) return cleanWithin(library, stock);
  const clean = cleanOfStock.get(stock) ?? cleanWithin(stock, stock);
  cleanOfStock.set(stock, clean);
  return clean;
}

function cleanWithin(library: PatternLibrary, stock: PatternLibrary): ReadonlySet<string> {
  const isStock = (name: string): boolean => {
    const text = stock.get(name);
    if (text === undefined || library.get(name) !== text) return false;
    return [...text.matchAll(NAMES)].every(([, part = '']) => isStock(part));
  };
  return new Set(CLEAN.filter(isStock));
}
