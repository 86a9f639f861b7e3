/**
 * Indonesian stemmer: particles, possessives, prefixes and suffixes, as long as enough syllables are left.
 *
 * @see Tala, "A Study of Stemming Effects on Information Retrieval in Bahasa Indonesia" (2003)
 */
const VOWEL = /[aeiou]/g;

/** Prefixes after which a suffix of the same pair may not go. */
type Prefix = 'ke' | 'peng' | 'di' | 'meng' | 'ter' | 'ber' | 'pe' | 'none';

/** A word on its way: syllables are counted as vowels, and only what is taken off lowers their number. */
interface Word {
  text: string;
  syllables: number;
  /** Prefixes taken off so far. */
  readonly prefixes: Set<Prefix>;
}

export function stemIndonesian(word: string): string {
  const state: Word = { text: word, syllables: word.match(VOWEL)?.length ?? 0, prefixes: new Set() };
  if (state.syllables > 2) removeEnding(state, ['kah', 'lah', 'pun']);
  if (state.syllables > 2) removeEnding(state, ['ku', 'mu', 'nya']);
  removeDerivations(state);
  return state.text;
}

function removeEnding(state: Word, endings: readonly string[]): void {
  const found = endings.find((ending) => state.text.endsWith(ending));
  if (found === undefined) return;
  state.text = state.text.slice(0, -found.length);
  state.syllables--;
}

function removeDerivations(state: Word): void {
  const before = state.text.length;
  if (state.syllables > 2) removeFirstPrefix(state);
  if (before !== state.text.length) {
    const length = state.text.length;
    if (state.syllables > 2) removeSuffix(state);
    if (length !== state.text.length && state.syllables > 2) removeSecondPrefix(state);
    return;
  }
  if (state.syllables > 2) removeSecondPrefix(state);
  if (state.syllables > 2) removeSuffix(state);
}

/** Start of a word, what it is taken for, letters that go, and a letter that comes back in their place. */
interface PrefixRule {
  readonly start: RegExp;
  readonly prefix: Prefix;
  readonly length: number;
  readonly restored?: string;
}

const FIRST_PREFIXES: readonly PrefixRule[] = [
  { start: /^meng/, prefix: 'meng', length: 4 },
  { start: /^meny[aeiou]/, prefix: 'meng', length: 4, restored: 's' },
  { start: /^men/, prefix: 'meng', length: 3 },
  { start: /^mem/, prefix: 'meng', length: 3 },
  { start: /^me/, prefix: 'meng', length: 2 },
  { start: /^peng/, prefix: 'peng', length: 4 },
  { start: /^peny[aeiou]/, prefix: 'peng', length: 4, restored: 's' },
  { start: /^peny/, prefix: 'peng', length: 4 },
  { start: /^pen[aeiou]/, prefix: 'peng', length: 3, restored: 't' },
  { start: /^pen/, prefix: 'peng', length: 3 },
  { start: /^pem/, prefix: 'peng', length: 3 },
  { start: /^di/, prefix: 'di', length: 2 },
  { start: /^ter/, prefix: 'ter', length: 3 },
  { start: /^ke/, prefix: 'ke', length: 2 },
];

function removeFirstPrefix(state: Word): void {
  removePrefix(state, FIRST_PREFIXES);
}

const SECOND_PREFIXES: readonly PrefixRule[] = [
  { start: /^ber/, prefix: 'ber', length: 3 },
  { start: /^belajar$/, prefix: 'ber', length: 3 },
  { start: /^be[^aeiou]er/, prefix: 'ber', length: 2 },
  { start: /^per/, prefix: 'none', length: 3 },
  { start: /^pelajar$/, prefix: 'none', length: 3 },
  { start: /^pe/, prefix: 'pe', length: 2 },
];

function removeSecondPrefix(state: Word): void {
  removePrefix(state, SECOND_PREFIXES);
}

function removePrefix(state: Word, rules: readonly PrefixRule[]): void {
  const rule = rules.find(({ start }) => start.test(state.text));
  if (rule === undefined) return;
  state.prefixes.add(rule.prefix);
  state.syllables--;
  state.text = (rule.restored ?? '') + state.text.slice(rule.length);
}

function removeSuffix(state: Word): void {
  const { text, prefixes } = state;
  const has = (...names: readonly Prefix[]): boolean => names.some((name) => prefixes.has(name));
  if (text.endsWith('kan') && !has('ke', 'peng', 'pe')) removeEnding(state, ['kan']);
  else if (text.endsWith('an') && !has('di', 'meng', 'ter')) removeEnding(state, ['an']);
  else if (text.endsWith('i') && !text.endsWith('si') && !has('ber', 'ke', 'peng')) removeEnding(state, ['i']);
}
