/**
 * Folding of text for searches: case, accents and other diacritics, widths, digits, dashes and letters that look alike (UTR #30).
 */
import { lazy } from '@shoal/core';
import { digitValue } from './digit-value.ts';
import { compatibilityFolded } from './normal-form.ts';
import { FOLDED_PAIRS, FOLDINGS, KEPT_DIACRITICS, REMOVED_MARKS } from './search-foldings.ts';

const DIGIT = /^\p{Nd}$/u;

interface FoldingTables {
  readonly replacements: ReadonlyMap<string, string>;
  readonly removed: RegExp;
}

const tables = lazy<FoldingTables>(() => {
  const replacements = new Map(
    FOLDINGS.flatMap(([to, letters]) => [...letters].map((letter) => [letter, to] as const)),
  );
  const pairs = [...FOLDED_PAIRS];
  for (let i = 0; i < pairs.length; i += 2) replacements.set(pairs[i] ?? '', pairs[i + 1] ?? '');
  return { replacements, removed: new RegExp(`^(?![${KEPT_DIACRITICS}])[\\p{Diacritic}${REMOVED_MARKS}]$`, 'u') };
});

/** Characters whose folding is kept: those of a text repeat. */
const KNOWN_MAX = 10_000;

/** Folding of one character at a time; makes its tables when it is first used. */
export function searchFolding(): (text: string) => string {
  const known = new Map<string, string>();
  const foldingOf = (character: string): string => {
    const found = known.get(character);
    if (found !== undefined) return found;
    const folding = folded(character);
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(character, folding);
    return folding;
  };
  return (text) => {
    let all = '';
    for (const character of text) all += foldingOf(character);
    return all.normalize('NFC');
  };
}

function folded(character: string): string {
  const { replacements, removed } = tables();
  let parts = '';
  for (const part of compatibilityFolded(character).normalize('NFD')) {
    const replacement = replacements.get(part);
    if (replacement !== undefined) parts += replacement;
    else if (DIGIT.test(part)) parts += digitValue(part);
    else if (!removed.test(part)) parts += part;
  }
  return parts;
}
