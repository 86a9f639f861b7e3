/**
 * Bulgarian stemmer: articles, plurals and endings.
 *
 * @see Nakov, "BulStem"; Savoy, "Searching Strategies for the Bulgarian Language" (2007)
 */
import { applyFirst, endingRules } from './suffixes/ending-rules.ts';

const ARTICLES = [...endingRules(6, 'ият'), ...endingRules(5, 'ът то те та ия'), ...endingRules(4, 'ят')];

const PLURALS = [...endingRules(6, 'овци>о ове еве>й'), ...endingRules(5, 'ища та ци>к зи>г')];

export function stemBulgarian(word: string): string {
  if (word.length < 4) return word;
  if (word.length > 5 && word.endsWith('ища')) return word.slice(0, -3);
  let s = plural(applyFirst(word, ARTICLES) ?? word);
  if (s.length > 3) {
    if (s.endsWith('я')) s = s.slice(0, -1);
    if (/[аое]$/.test(s)) s = s.slice(0, -1);
  }
  if (s.length > 4 && s.endsWith('ен')) s = `${s.slice(0, -2)}н`;
  if (s.length > 5 && s[s.length - 2] === 'ъ') s = s.slice(0, -2) + s.slice(-1);
  return s;
}

function plural(word: string): string {
  const singular = applyFirst(word, PLURALS);
  if (singular !== null) return singular;
  if (word.length > 5 && word[word.length - 3] === 'е' && word.endsWith('и')) {
    return `${word.slice(0, -3)}я${word.slice(-2, -1)}`;
  }
  if (word.length > 4 && word.endsWith('си')) return `${word.slice(0, -2)}х`;
  return word.length > 4 && word.endsWith('и') ? word.slice(0, -1) : word;
}
