/** Stop words by language: Lucene's lists. */
import { LATIN_STOP_WORDS } from './stop-words-latin.ts';
import { OTHER_STOP_WORDS } from './stop-words-other.ts';

/** Words of a language's list; null when there is no such list. */
export function stopWordsOf(language: string): readonly string[] | null {
  const lists = Object.hasOwn(LATIN_STOP_WORDS, language) ? LATIN_STOP_WORDS : OTHER_STOP_WORDS;
  return Object.hasOwn(lists, language) ? (lists[language]?.split(' ') ?? null) : null;
}

export const ENGLISH_STOP_WORDS: readonly string[] = stopWordsOf('english') ?? [];

/** Names of all languages with a list. */
export const STOP_WORD_LANGUAGES: readonly string[] = [
  ...Object.keys(LATIN_STOP_WORDS),
  ...Object.keys(OTHER_STOP_WORDS),
].sort();
