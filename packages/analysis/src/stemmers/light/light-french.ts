/**
 * Light French stemmer: plurals, genders and common derivations.
 *
 * @see Savoy, "Light Stemming Approaches for the French, Portuguese, German and Hungarian Languages" (2006)
 */
import { applyFirst, endingRules, letterMap } from '../suffixes/ending-rules.ts';

const withoutMarks = letterMap('àáâôèéêùûîç', 'aaaoeeeuuic');

/** Tried before the others; the word goes straight to the last step. */
const FIRST = [...endingRules(9, 'issement>ir'), ...endingRules(8, 'issant>ir')];

const AGENTS = [
  ...endingRules(9, 'catrice>quer'),
  ...endingRules(8, 'cateur>quer atrice>er'),
  ...endingRules(7, 'ateur>er'),
];

const LAST_AGENTS = [
  ...endingRules(5, 'ième'),
  ...endingRules(7, 'teuse>ter'),
  ...endingRules(6, 'teur>ter'),
  ...endingRules(5, 'euse>eu'),
];

const FORMS = [
  ...endingRules(8, 'ère>er'),
  ...endingRules(7, 'ive>if'),
  ...endingRules(4, 'folle>fou molle>mou'),
  ...endingRules(9, 'nnelle>n nnel>n'),
];

const ABSTRACTS = [...endingRules(8, 'esse>e'), ...endingRules(7, 'inage>in')];

const ACTIONS = [...endingRules(9, 'isateur'), ...endingRules(8, 'ation ition')];

export function stemLightFrench(word: string): string {
  return normalize(derivation(singular(word)));
}

function singular(word: string): string {
  let s = word;
  if (s.length > 5 && s.endsWith('x')) s = /[^e]aux$/.test(s) ? `${s.slice(0, -2)}l` : s.slice(0, -1);
  if (s.length > 3 && s.endsWith('x')) s = s.slice(0, -1);
  return s.length > 3 && s.endsWith('s') ? s.slice(0, -1) : s;
}

function derivation(word: string): string {
  const first = applyFirst(word, FIRST);
  if (first !== null) return first;
  if (word.length > 6 && word.endsWith('ement')) {
    const adjective = word.slice(0, -4);
    return adjective.length > 3 && adjective.endsWith('ive') ? `${adjective.slice(0, -2)}f` : adjective;
  }
  if (word.length > 11 && word.endsWith('ficatrice')) return `${word.slice(0, -7)}er`;
  const s = word.length > 10 && word.endsWith('ficateur') ? `${word.slice(0, -6)}er` : word;
  const agent = applyFirst(s, AGENTS);
  if (agent !== null) return agent;
  const masculine = s.length > 6 && s.endsWith('trice') ? `${s.slice(0, -4)}eur` : s;
  return applyFirst(masculine, LAST_AGENTS) ?? applyFirst(masculine, FORMS) ?? abstractNoun(masculine);
}

function abstractNoun(word: string): string {
  let s = word.length > 4 && word.endsWith('ète') ? `${word.slice(0, -3)}et` : word;
  if (s.length > 8 && s.endsWith('ique')) s = s.slice(0, -4);
  const noun = applyFirst(s, ABSTRACTS);
  if (noun !== null) return noun;
  if (s.length > 9 && s.endsWith('isation')) {
    const adjective = s.slice(0, -7);
    return adjective.length > 5 && adjective.endsWith('ual') ? `${adjective.slice(0, -2)}el` : adjective;
  }
  return applyFirst(s, ACTIONS) ?? s;
}

function normalize(word: string): string {
  let s = word.length > 4 ? withoutMarks(word).replace(/(\p{L})\1+/gu, '$1') : word;
  if (s.length > 4 && s.endsWith('ie')) s = s.slice(0, -2);
  if (s.length <= 4) return s;
  s = s.replace(/r$/, '').replace(/e$/, '').replace(/e$/, '');
  return s.replace(/(\p{L})\1$/u, '$1');
}
