/**
 * Stemmer of Brazilian Portuguese: what the analyzer `brazilian` has, an early form of the Snowball algorithm for Portuguese.
 */
import { letterMap } from './suffixes/ending-rules.ts';

const WORD_MAX = 29;

/** Suffixes of nouns and adjectives, taken where all of the suffix stands in R2; `>` what stands for them. */
const NOUN_SUFFIXES =
  'uciones>u imentos amentos adores adoras logias>log encias>ente amente idades acoes imento amento adora ismos istas logia>log ucion>u encia>ente mente idade acao ezas icos icas ismo avel ivel ista osos osas ador ivas ivos iras>ir eza ico ica oso osa iva ivo ira>ir';

/** Suffixes of verbs, taken where all of the suffix stands in RV; one with `>` stays, and ends the search all the same. */
const VERB_SUFFIXES =
  'issemos essemos assemos ariamos eriamos iriamos iremos eremos aremos avamos iramos eramos aramos asseis esseis isseis arieis erieis irieis irmos iamos armos ermos areis ereis ireis asses esses isses astes assem essem issem ardes erdes irdes ariam eriam iriam arias erias irias estes istes aveis aria eria iria asse esse isse aste este iste arei erei irei aram eram iram avam arem erem irem ando endo indo arao erao irao adas idas aras eras iras avas ares eres ires ados idos amos emos imos ieis ada ida ara era ira> iam ado ido ias ais eis ear ia ei am em ar er ir as es is eu iu ou';

interface NounRule {
  readonly suffix: string;
  readonly replacement: string;
}

const NOUN_RULES: readonly NounRule[] = NOUN_SUFFIXES.split(' ').map((text) => {
  const [suffix = '', replacement = ''] = text.split('>');
  return { suffix, replacement };
});
const VERB_RULES: readonly string[] = VERB_SUFFIXES.split(' ');

const withoutAccents = letterMap('áâãéêíóôõúüçñ', 'aaaeeiooouucn');
const EDGE_MARKS = /^["'\-,;.?!]|["'\-,;.?!]$/g;

/** Regions of a word behind its first syllables; empty ones are null. */
interface Regions {
  readonly r1: string | null;
  readonly r2: string | null;
  readonly rv: string | null;
}

export function stemBrazilian(word: string): string {
  const folded = withoutAccents(word.toLowerCase());
  const plain = folded.length < 2 ? folded : folded.replace(EDGE_MARKS, '');
  if (plain.length > WORD_MAX || plain.length < 3) return word;
  if (!/^\p{L}+$/u.test(plain)) return plain;
  const r1 = behindSyllable(plain);
  const regions = { r1, r2: r1 === null ? null : behindSyllable(r1), rv: behindVerbStart(plain) };
  const stem = withoutNounSuffix(plain, regions) ?? withoutVerbSuffix(plain, regions);
  return withoutLastVowel(stem === null ? withoutResidue(plain, regions) : withoutI(stem, regions), regions);
}

function isVowel(letter: string | undefined): boolean {
  return letter !== undefined && 'aeiou'.includes(letter);
}

/** Behind the first consonant that follows a vowel. */
function behindSyllable(text: string): string | null {
  const last = text.length - 1;
  let at = 0;
  while (at < last && !isVowel(text[at])) at++;
  if (at >= last) return null;
  while (at < last && isVowel(text[at])) at++;
  return at >= last ? null : text.slice(at + 1);
}

function behindVerbStart(text: string): string | null {
  const last = text.length - 1;
  const isStop = isVowel(text[1]) ? (letter: string | undefined) => !isVowel(letter) : isVowel;
  if (!isVowel(text[1]) || isVowel(text[0])) {
    let at = 2;
    while (at < last && !isStop(text[at])) at++;
    if (at < last) return text.slice(at + 1);
  }
  return last > 2 ? text.slice(3) : null;
}

function withoutNounSuffix(word: string, { r1, r2, rv }: Regions): string | null {
  if (r1 === null) return null;
  for (const { suffix, replacement } of NOUN_RULES) {
    const isVerb = replacement === 'ir';
    const region = suffix === 'amente' ? r1 : isVerb ? rv : r2;
    if (!word.endsWith(suffix) || region?.endsWith(suffix) !== true) continue;
    const stem = word.slice(0, word.length - suffix.length);
    if (!isVerb || stem.endsWith('e')) return stem + replacement;
  }
  return null;
}

function withoutVerbSuffix(word: string, { rv }: Regions): string | null {
  if (rv === null || rv.length < 2) return null;
  const rule = VERB_RULES.find((ending) => rv.endsWith(ending.replace('>', '')));
  if (rule === undefined) return null;
  return rule.endsWith('>') ? word : word.slice(0, word.length - rule.length);
}

function withoutI(stem: string, { rv }: Regions): string {
  return rv?.endsWith('ci') === true && stem.endsWith('i') ? stem.slice(0, -1) : stem;
}

function withoutResidue(word: string, { rv }: Regions): string {
  const suffix = ['os', 'a', 'i', 'o'].find((ending) => rv?.endsWith(ending) === true);
  return suffix === undefined ? word : word.slice(0, word.length - suffix.length);
}

function withoutLastVowel(stem: string, { rv }: Regions): string {
  if (rv?.endsWith('e') !== true || !stem.endsWith('e')) return stem;
  const shorter = stem.slice(0, -1);
  const isSoft = (rv.endsWith('gue') && shorter.endsWith('u')) || (rv.endsWith('cie') && shorter.endsWith('i'));
  return isSoft ? shorter.slice(0, -1) : shorter;
}
