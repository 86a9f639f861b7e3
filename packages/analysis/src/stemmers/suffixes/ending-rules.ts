/**
 * Rules about the ends of words: what light stemmers are mostly made of.
 */

/** A word that ends so, and is longer than `above` UTF-16 units, has the ending replaced. */
export interface EndingRule {
  readonly ending: string;
  readonly above: number;
  readonly replacement: string;
}

/** Rules `ending>replacement`, separated by blanks, for words longer than `above`. */
export function endingRules(above: number, rules: string): readonly EndingRule[] {
  return rules.split(' ').map((rule) => {
    const [ending = '', replacement = ''] = rule.split('>');
    return { ending, above, replacement };
  });
}

/** Applies the first rule that fits; null when none does. */
export function applyFirst(word: string, rules: readonly EndingRule[]): string | null {
  for (const { ending, above, replacement } of rules) {
    if (word.length > above && word.endsWith(ending)) return word.slice(0, word.length - ending.length) + replacement;
  }
  return null;
}

/** Letters replaced by others: `from` and `to` in the same order. */
export function letterMap(from: string, to: string): (word: string) => string {
  const map = new Map([...from].map((letter, i) => [letter, [...to][i] ?? ''] as const));
  const any = new RegExp(`[${from}]`, 'g');
  return (word) => word.replace(any, (letter) => map.get(letter) ?? letter);
}
