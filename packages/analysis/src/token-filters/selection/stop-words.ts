/** Stop words by language: Lucene's lists. */
import { ESTONIAN_STOP_WORDS } from './stop-words-estonian.ts';
import { LATIN_STOP_WORDS } from './stop-words-latin.ts';
import { OTHER_STOP_WORDS } from './stop-words-other.ts';

const LISTS: Readonly<Record<string, string>> = {
  ...LATIN_STOP_WORDS,
  ...OTHER_STOP_WORDS,
  estonian: ESTONIAN_STOP_WORDS,
};

/** Words of a language's list; null when there is no such list. */
export function stopWordsOf(language: string): readonly string[] | null {
  return Object.hasOwn(LISTS, language) ? (LISTS[language]?.split(' ') ?? null) : null;
}

export const ENGLISH_STOP_WORDS: readonly string[] = stopWordsOf('english') ?? [];

/** Names of all languages with a list. */
export const STOP_WORD_LANGUAGES: readonly string[] = Object.keys(LISTS).sort();
