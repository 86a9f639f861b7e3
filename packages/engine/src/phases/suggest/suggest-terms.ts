/**
 * The `term` suggester on one shard.
 */
import { type Suggestion, suggestionsOfShard, type TermSuggester } from '@shoal/query';
import type { SuggestEntry } from '@shoal/shard-api';
import type { ShardSearchContext } from '../context/shard-search-context.ts';
import { FieldTerms } from './field-terms.ts';
import { SpellChecker } from './spell-checker.ts';
import { suggestAnalyzer, suggestField, suggestText, suggestTokens } from './suggest-text.ts';

/** One entry a word of the text; a step of work each. */
export function* suggestTerms(
  context: ShardSearchContext,
  suggestion: Suggestion,
  suggester: TermSuggester,
): Generator<void, readonly SuggestEntry[]> {
  const field = suggestField(context, suggester);
  const analyzer = suggestAnalyzer(context, field, suggester.analyzer);
  const terms = FieldTerms.of(context.searcher, field.path);
  const checker = terms === null ? null : new SpellChecker(terms, suggester.spelling);
  const size = suggestionsOfShard(suggester);
  const entries: SuggestEntry[] = [];
  for (const { term, start, end } of suggestTokens(analyzer, suggestText(suggestion))) {
    const found = checker?.corrections(term, size) ?? [];
    const options = found.map(({ text, score, docFreq }) => ({ kind: 'term', text, score, freq: docFreq }) as const);
    entries.push({ text: term, offset: start, length: end - start, cutoff: null, options });
    yield;
  }
  return entries;
}
