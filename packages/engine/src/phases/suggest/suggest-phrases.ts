/**
 * The `phrase` suggester on one shard.
 */
import { ShoalError } from '@shoal/core';
import { collateQuery, type PhraseSuggester, parseQueryBytes, type Suggestion, suggestionsOfShard } from '@shoal/query';
import type { PhraseOption, SuggestEntry } from '@shoal/shard-api';
import { utf8Bytes } from '../../match/context/compile-context.ts';
import type { ShardSearchContext } from '../context/shard-search-context.ts';
import { type CorrectedPhrases, correctPhrase, NO_PHRASES } from './correct-phrase.ts';
import { FieldTerms } from './field-terms.ts';
import { matchesAny } from './matches-any.ts';
import { shingleSize } from './shingle-size.ts';
import { suggestAnalyzer, suggestField, suggestText, suggestTokens } from './suggest-text.ts';
import { type Candidate, CandidateFinder, type WordCandidates } from './word-candidates.ts';
import { WordModel } from './word-model.ts';

/** Type of tokens that are words of the text put together. */
const SHINGLE = 'shingle';
/** Type of tokens that an analyzer puts in place of a word. */
const SYNONYM = 'SYNONYM';

/** One entry for the whole text. */
export function* suggestPhrases(
  context: ShardSearchContext,
  suggestion: Suggestion,
  suggester: PhraseSuggester,
  nowMs: number,
): Generator<void, readonly SuggestEntry[]> {
  const field = suggestField(context, suggester);
  const analyzer = suggestAnalyzer(context, field, suggester.analyzer);
  const text = suggestText(suggestion);
  const isGiven = suggester.analyzer !== null;
  const shingles = shingleSize(context.settings, { analyzer: analyzer.name, field: suggester.field, isGiven });
  const terms = FieldTerms.of(context.searcher, field.path);
  const finder = new CandidateFinder(context, suggester, suggestionsOfShard(suggester));
  const found =
    terms === null || finder.isEmpty
      ? NO_PHRASES
      : yield* corrections(
          finder,
          new WordModel(terms, suggester.smoothing, suggester.separator),
          wordsOf(suggestTokens(analyzer, text), suggester),
          suggester,
          suggester.gramSize ?? shingles,
        );
  const options: PhraseOption[] = [];
  for (const { words, score } of found.phrases) {
    yield;
    const option = phraseOption(context, suggester, { words, score }, nowMs);
    if (option !== null && option.score > found.cutoff) options.push(option);
  }
  return [{ text, offset: 0, length: text.length, cutoff: found.cutoff, options }];
}

/** A word of the text, with what an analyzer puts in its place. */
interface TextWord {
  readonly term: string;
  readonly synonyms: readonly string[];
}

/** Empty for a text of too many words too. */
function wordsOf(
  tokens: ReturnType<typeof suggestTokens>,
  { requiresUnigram, tokenLimit }: PhraseSuggester,
): readonly TextWord[] {
  const words: { term: string; synonyms: string[] }[] = [];
  let hasUnigram = false;
  for (const { term, increment, type } of tokens) {
    if (requiresUnigram && type === SHINGLE) continue;
    hasUnigram = true;
    const last = words.at(-1);
    if (increment === 0 && type === SYNONYM && last !== undefined) last.synonyms.push(term);
    else words.push({ term, synonyms: [] });
  }
  if (requiresUnigram && !hasUnigram && tokens.length > 0) {
    throw new ShoalError('illegal_state_exception', 500, 'At least one unigram is required but all tokens were ngrams');
  }
  return words.length >= tokenLimit ? [] : words;
}

function* corrections(
  finder: CandidateFinder,
  model: WordModel,
  words: readonly TextWord[],
  suggester: PhraseSuggester,
  gramSize: number,
): Generator<void, CorrectedPhrases> {
  if (words.length === 0) return NO_PHRASES;
  const { realWordErrorLikelihood, maxErrors, confidence } = suggester;
  const sets: WordCandidates[] = [];
  for (const { term, synonyms } of words) {
    const known = synonyms.flatMap((synonym) => finder.synonym(synonym, realWordErrorLikelihood) ?? []);
    sets.push(finder.find(finder.original(term), known));
    yield;
  }
  const count = suggestionsOfShard(suggester);
  const options = { count, gramSize, realWordLikelihood: realWordErrorLikelihood, maxErrors, confidence };
  return yield* correctPhrase(sets, model, options);
}

/** The option as it is shown; null for one that matches no document, where only those that do are wanted. */
function phraseOption(
  context: ShardSearchContext,
  { collate, tags }: PhraseSuggester,
  { words, score }: { readonly words: readonly Candidate[]; readonly score: number },
  nowMs: number,
): PhraseOption | null {
  const text = words.map(({ term }) => term).join(' ');
  const isMatch =
    collate === null ? true : matchesAny(context, parseQueryBytes(utf8Bytes(collateQuery(collate, text))), nowMs);
  if (!isMatch && collate?.isPruned !== true) return null;
  return {
    kind: 'phrase',
    text,
    score: Math.fround(score),
    highlighted: tags === null ? null : withTags(words, tags),
    isCollateMatch: collate?.isPruned === true ? isMatch : null,
  };
}

/** The text with marks around runs of corrected words. */
function withTags(words: readonly Candidate[], { pre, post }: { readonly pre: string; readonly post: string }): string {
  const isChanged = (at: number): boolean => words[at]?.isOriginal === false;
  return words
    .map(({ term }, at) => {
      if (!isChanged(at)) return term;
      return `${isChanged(at - 1) ? '' : pre}${term}${isChanged(at + 1) ? '' : post}`;
    })
    .join(' ');
}
