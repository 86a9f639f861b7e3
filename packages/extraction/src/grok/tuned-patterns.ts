/**
 * Core patterns in a form that V8 runs faster and that matches exactly the same texts.
 *
 * Each replaces a stock definition only while the name still has its stock text: a user's definition of the name is never
 * touched. Why each is exact is said beside it; a test compares both forms over many texts.
 */
import type { PatternLibrary } from './pattern-library.ts';

/** name -> tuned text, for the names that `library` defines with the stock text. */
export function tunedPatterns(library: PatternLibrary, stock: PatternLibrary): ReadonlyMap<string, string> {
  const tuned = new Map<string, string>();
  for (const [name, text] of stockTuning(stock)) {
    if (library.get(name) === stock.get(name)) tuned.set(name, text);
  }
  return tuned;
}

function stockTuning(stock: PatternLibrary): readonly (readonly [string, string])[] {
  const ipv6 = stock.get('IPV6') ?? '';
  const reason = stock.get('CISCO_REASON') ?? '';
  return [
    // An atomic run of digits is a run that no digit follows; the atomic fraction is taken whenever it is there.
    ['BASE10NUM', '(?<![0-9.+-])[+-]?(?:[0-9]+(?![0-9])(?:\\.[0-9]+(?![0-9])|(?!\\.[0-9]))|\\.[0-9]+(?![0-9]))'],
    // An atomic group around a fixed number of characters keeps nothing that could be given back.
    ['YEAR', '(?:\\d\\d){1,2}'],
    // A quoted text ends at the first quote that is not escaped: there is one way to match, so nothing to give back.
    [
      'QUOTEDSTRING',
      '(?<!\\\\)(?:"[^\\\\"]*(?:\\\\.[^\\\\"]*)*"|\'[^\\\\\']*(?:\\\\.[^\\\\\']*)*\'|`[^\\\\`]*(?:\\\\.[^\\\\`]*)*`)',
    ],
    // Both branches can match in one way only.
    ['WINPATH', '(?:[A-Za-z]+:|\\\\)(?:\\\\[^\\\\?*]*)+'],
    // Every branch starts with at most four digits and a colon: most texts are turned away by that alone.
    ['IPV6', `(?=[0-9A-Fa-f]{0,4}:)${ipv6}`],
    // A word ends where another cannot begin, so that words are always apart: written so, there is one way to divide them.
    ['CISCO_REASON', reason.replace('(?:%{WORD}\\s*)*', '(?:%{WORD}(?:\\s+\\w+\\b)*\\s*)?')],
  ];
}
