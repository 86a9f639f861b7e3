/**
 * Letters replaced by a table: what most normalizations of scripts are.
 */

/** @param table replacement, then each letter that has it; no letter is in two rows */
export function replaceLetters(table: readonly (readonly [string, string])[]): (text: string) => string {
  const replacements = new Map(
    table.flatMap(([replacement, letters]) => [...letters].map((letter) => [letter, replacement] as const)),
  );
  const letters = new RegExp(`[${[...replacements.keys()].join('')}]`, 'gu');
  return (text) => text.replace(letters, (letter) => replacements.get(letter) ?? letter);
}
