/**
 * Stemmers by the published Snowball algorithms, from a library; those it lacks stand in files of their own beside.
 *
 * Compared with a real server on thousands of words of each language, their stems are the same; where the library has an
 * older edition of an algorithm, the words are brought into the form that the newer one works on. Finnish loan words with
 * š or ž keep a last vowel less in seven of six thousand.
 *
 * The library makes the tables of all its languages when it is loaded, 10 MB in each thread: so it is with the first stemmer. An analyzer is
 * made within a step that cannot wait, hence `require`.
 */
import { createRequire } from 'node:module';
import { lazy } from '@shoal/core';
import type snowball from 'snowball-stemmers';
import { stemDutchKp } from './dutch-kp.ts';
import { stemEstonian } from './estonian.ts';
import { stemGerman2 } from './german2.ts';
import { stemLovins } from './lovins.ts';

type Stem = (word: string) => string;

// Typed by its declaration.
const library = lazy(() => createRequire(import.meta.url)('snowball-stemmers') as typeof snowball);

const LANGUAGES: readonly string[] = [
  ...['arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish', 'french', 'german'],
  ...['hungarian', 'irish', 'italian', 'norwegian', 'porter', 'portuguese', 'romanian', 'russian', 'spanish'],
  ...['swedish', 'turkish'],
];

const WITHOUT_LIBRARY: ReadonlyMap<string, Stem> = new Map([
  ['estonian', stemEstonian],
  ['german2', stemGerman2],
  ['kp', stemDutchKp],
  ['lovins', stemLovins],
]);

/** Letters of which the algorithm may leave one where a word ends with two. */
const FINNISH_LETTERS = 'abcdefghijklmnopqrstuvwxyzåäö';

/** @param language in lower case; null when there is no such algorithm */
export function snowballStems(language: string): Stem | null {
  const own = WITHOUT_LIBRARY.get(language);
  if (own !== undefined) return own;
  if (!LANGUAGES.includes(language)) return null;
  const stemmer = library().newStemmer(language);
  const stem: Stem = (word) => stemmer.stem(word);
  if (language === 'russian') return (word) => stem(word.replaceAll('ё', 'е'));
  if (language === 'finnish') return (word) => stemFinnish(word, stem);
  return language === 'french' ? (word) => stemFrench(word, stem) : stem;
}

/** Only letters that end a word twice are written once: other signs, such as the digits of a year, stay. */
function stemFinnish(word: string, stem: Stem): string {
  const made = stem(word);
  const last = made.at(-1) ?? '';
  return FINNISH_LETTERS.includes(last) || !word.startsWith(made + last) ? made : made + last;
}

/** A diaeresis separates its vowel from the one before: the newer edition writes it as an H that is no vowel. */
function stemFrench(word: string, stem: Stem): string {
  if (!/[ëïH]/.test(word)) return stem(word);
  // What is written with capitals loses each H that the word had.
  const marked = stem(word.endsWith('ï') ? word : word.replaceAll('ë', 'He').replaceAll('ï', 'Hi'));
  return marked.replaceAll('He', 'ë').replaceAll('Hi', 'ï').replaceAll('H', '');
}
