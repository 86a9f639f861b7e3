/**
 * The `completion` suggester on one shard: inputs whose key matches, the most worth first, each document once.
 *
 * The terms of a field stand in the order of their contexts and keys, so that a beginning is a range of them; of those that match,
 * only what may be among the best is looked at closer.
 */
import { illegalArgument } from '@shoal/core';
import { type CompletionSuggester, REGEX_DEFAULTS, type Suggestion, suggestionsOfShard } from '@shoal/query';
import type { CompletionSettings, FieldMapping } from '@shoal/schema';
import type { SuggestEntry } from '@shoal/shard-api';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import { completionKeys } from '../../field-types/completion/completion-keys.ts';
import { contextOf, inputOf, keyEnd, keyStart, weightOf } from '../../field-types/completion/completion-term.ts';
import { NO_MORE_DOCS, type SegmentView, type TermDictionary } from '../../format/reader/segment-reader.ts';
import type { ShardSearchContext } from '../context/shard-search-context.ts';
import { BestCompletions, type FoundCompletion } from './best-completions.ts';
import { type CompletionMatch, fuzzyMatch, prefixMatch, regexMatch } from './completion-match.ts';
import { type QueryContext, queryContexts } from './query-contexts.ts';
import { suggestAnalyzer, suggestField, suggestText } from './suggest-text.ts';

/** Terms between two looks at the clock. */
const TERMS_PER_STEP = 2_048;

/** An entry without options, and what was found for it, the best first: their documents are not read yet. */
export interface FoundCompletions {
  readonly entry: SuggestEntry;
  readonly found: readonly FoundCompletion[];
  readonly field: FieldMapping;
}

export function* findCompletions(
  context: ShardSearchContext,
  suggestion: Suggestion,
  suggester: CompletionSuggester,
): Generator<void, FoundCompletions> {
  const field = suggestField(context, suggester);
  const { completion } = field;
  if (completion === null) throw illegalArgument(`Field [${suggester.field}] is not a completion suggest field`);
  const text = suggestText(suggestion);
  const contexts = queryContexts(field, suggester.contexts);
  const matches = matchesOf(context, field, suggestion, suggester, completion);
  const size = suggestionsOfShard(suggester);
  const best = new BestCompletions({
    size,
    skipsDuplicates: suggester.skipsDuplicates,
    mergesContexts: contexts !== null,
  });
  for (const view of context.searcher.views) {
    const terms = view.segment.terms(field.path);
    if (terms === null || terms === undefined) continue;
    for (const match of matches) {
      for (const one of contexts ?? [null]) yield* collect(view, terms, match, one, best);
    }
  }
  return { entry: { text, offset: 0, length: text.length, cutoff: null, options: [] }, found: best.result(), field };
}

/** One for each way to read the text; none for a text without words. */
function matchesOf(
  context: ShardSearchContext,
  field: FieldMapping,
  { prefix, regex }: Suggestion,
  { analyzer: given, fuzzy, regex: options }: CompletionSuggester,
  settings: CompletionSettings,
): readonly CompletionMatch[] {
  const analyzer = suggestAnalyzer(context, field, given);
  if (prefix !== null) {
    const keys = completionKeys(analyzer, prefix, settings);
    return keys.map((key) => (fuzzy === null ? prefixMatch(key) : fuzzyMatch(key, fuzzy)));
  }
  if (regex === null) throw illegalArgument("'prefix' or 'regex' must be defined");
  if (fuzzy !== null) throw illegalArgument("can not use 'fuzzy' options with 'regex");
  return regex === '' ? [] : [regexMatch(regex, options ?? REGEX_DEFAULTS)];
}

function* collect(
  view: SegmentView,
  terms: TermDictionary,
  match: CompletionMatch,
  context: QueryContext | null,
  best: BestCompletions,
): Generator<void, void> {
  const isWhole = context === null || !context.isPrefix;
  const start = joined(context?.start ?? NO_BYTES, isWhole ? match.shared : NO_BYTES);
  for (let ordinal = terms.ceiling(start), looks = 1; ordinal < terms.size; ordinal++, looks++) {
    if (looks % TERMS_PER_STEP === 0) yield;
    const term = terms.term(ordinal);
    if (compareBytes(term, 0, Math.min(term.length, start.length), start) !== 0) return;
    const from = context === null ? 0 : keyStart(term, 1);
    const end = keyEnd(term, from);
    const worth = match.worth(term, from, end);
    if (worth < 0) continue;
    const score = scoreOf(weightOf(term), worth + (context?.boost ?? 0));
    if (!best.mayTake(score)) continue;
    // The view of the term is good until the next one is asked for.
    const named = context === null ? null : contextOf(term);
    const text = inputOf(term, end);
    const docs = terms.postings(ordinal);
    for (let doc = docs.next(); doc !== NO_MORE_DOCS; doc = docs.next()) {
      if (isLive(view, doc)) best.add({ ord: view.docBase + doc, text, score }, named);
    }
  }
}

const NO_BYTES = new Uint8Array(0);

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** A weight of 0 counts as 1 where matches are worth different amounts. */
function scoreOf(weight: number, boost: number): number {
  return Math.fround(boost === 0 ? weight : Math.max(weight, 1) * boost);
}

function isLive({ liveDocs }: SegmentView, doc: number): boolean {
  return liveDocs === null || ((liveDocs[doc >> 3] as number) & (1 << (doc & 7))) !== 0;
}
