/**
 * Keys of a text of a `completion` field: its words as an analyzer gives them, in all the ways that it gives them.
 *
 * Words are joined by a separator, which a field may do without. A word that the analyzer leaves out leaves its separator, where
 * the field keeps gaps: at query time only another gap matches it.
 */
import type { Analyzer } from '@shoal/analysis';
import { illegalArgument } from '@shoal/core';
import type { CompletionSettings } from '@shoal/schema';
import { CONTEXT_END, completionTerm, contextStart, WORD_SEPARATOR } from './completion-term.ts';
import type { CompletionInput } from './completion-value.ts';

/** Ways to read one text: the words that stand at one place, multiplied. */
const KEYS_MAX = 1_000;

/** Empty for a text without words. */
export function completionKeys(
  analyzer: Analyzer,
  text: string,
  { preservesSeparators, preservesPositionIncrements }: CompletionSettings,
): readonly string[] {
  const places: { readonly gaps: number; readonly words: string[] }[] = [];
  analyzer.analyze(text, (term, _start, _end, increment) => {
    const last = places.at(-1);
    if (increment === 0 && last !== undefined) {
      if (!last.words.includes(term)) last.words.push(term);
      return;
    }
    places.push({ gaps: preservesPositionIncrements ? Math.max(0, increment - 1) : 0, words: [term] });
  });
  if (places.length === 0) return [];
  const separator = preservesSeparators ? WORD_SEPARATOR : '';
  let keys = [''];
  for (const [i, { gaps, words }] of places.entries()) {
    if (keys.length * words.length > KEYS_MAX) {
      throw illegalArgument(`an input of a completion field can be read in more than [${KEYS_MAX}] ways: [${text}]`);
    }
    const before = separator.repeat(gaps + (i === 0 ? 0 : 1));
    keys = keys.flatMap((key) => words.map((word) => `${key}${before}${word}`));
  }
  return keys;
}

/** Terms of an input that was read, each once. */
export function completionTerms(
  analyzer: Analyzer,
  { text, weight, contexts }: CompletionInput,
  settings: CompletionSettings,
): ReadonlySet<string> {
  const starts =
    settings.contexts.length === 0
      ? ['']
      : contexts.flatMap((values, position) => [...values].map((value) => contextStart(position, value) + CONTEXT_END));
  const keys = completionKeys(analyzer, text, settings);
  return new Set(starts.flatMap((start) => keys.map((key) => completionTerm(start, key, text, weight))));
}
