/**
 * One suggestion of a search's `suggest`: the text it starts from, and the suggester that finds what may have been meant.
 */
import type { CompletionSuggester } from './completion-suggester.ts';
import type { PhraseSuggester } from './phrase-suggester.ts';
import type { TermSuggester } from './term-suggester.ts';

export type Suggester = TermSuggester | PhraseSuggester | CompletionSuggester;

export interface Suggestion {
  /** Under which it is shown. */
  readonly name: string;
  /** Own `text`, else that of all suggestions; null when neither is given. */
  readonly text: string | null;
  /** Own `prefix`, else own `text`; null when neither is given. */
  readonly prefix: string | null;
  readonly regex: string | null;
  readonly suggester: Suggester;
}

/** Suggestions of one request. */
export const SUGGESTIONS_MAX = 256;
