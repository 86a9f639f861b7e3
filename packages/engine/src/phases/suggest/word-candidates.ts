/**
 * Candidates for each word of a text: the word as it stands, and the terms that the generators of a phrase suggestion find for it.
 */
import type { Analyzer } from '@shoal/analysis';
import { illegalArgument } from '@shoal/core';
import type { CandidateGenerator, PhraseSuggester } from '@shoal/query';
import type { ShardSearchContext } from '../context/shard-search-context.ts';
import { FieldTerms, type TermCounts } from './field-terms.ts';
import { compareTexts, SpellChecker } from './spell-checker.ts';
import { suggestTokens } from './suggest-text.ts';

export interface Candidate extends TermCounts {
  readonly term: string;
  /** Similarity to the word as it stands; 1 for itself. */
  readonly similarity: number;
  /** Similarity times the share of the field's tokens: what candidates are ranked by. */
  readonly score: number;
  /** The user wrote it. */
  readonly isOriginal: boolean;
}

/** A word of the text, and what may stand in its place, the best first. */
export interface WordCandidates {
  readonly original: Candidate;
  readonly others: readonly Candidate[];
}

/** Logarithm base of the frequency that a correction of a frequent word must exceed. */
const FREQUENCY_LOG_BASE = 5;

/** One generator on one shard. */
class ShardGenerator {
  readonly #terms: FieldTerms;
  readonly #generator: CandidateGenerator;
  readonly #checker: SpellChecker;
  readonly #preFilter: Analyzer | null;
  readonly #postFilter: Analyzer | null;

  constructor(context: ShardSearchContext, generator: CandidateGenerator, terms: FieldTerms) {
    this.#terms = terms;
    this.#generator = generator;
    this.#checker = new SpellChecker(terms, generator.spelling);
    this.#preFilter = namedAnalyzer(context, generator.preFilter);
    this.#postFilter = namedAnalyzer(context, generator.postFilter);
  }

  original(term: string, similarity: number, isOriginal: boolean): Candidate {
    return this.#candidate(term, this.#terms.counts(this.#filtered(term)), similarity, isOriginal);
  }

  candidates(original: Candidate): readonly Candidate[] {
    const { size, spelling } = this.#generator;
    const isRaised = spelling.mode !== 'always' && original.docFreq > 0;
    const minDocFreq = isRaised ? this.#frequencyToExceed(original.docFreq) : spelling.minDocFreq;
    const found = this.#checker.corrections(this.#filtered(original.term), size, minDocFreq);
    return found.flatMap(({ text, score }) => this.#afterFilter(text, this.#terms.counts(text), score));
  }

  /** The last token of the word, where an analyzer changes it first. */
  #filtered(term: string): string {
    return this.#preFilter === null ? term : (suggestTokens(this.#preFilter, term).at(-1)?.term ?? '');
  }

  #afterFilter(text: string, counts: TermCounts, similarity: number): readonly Candidate[] {
    if (this.#postFilter === null) return [this.#candidate(text, counts, similarity, false)];
    return suggestTokens(this.#postFilter, text).map(({ term, increment }) => {
      const isSame = increment > 0 && term === text;
      const own = isSame ? this.#terms.counts(term) : counts;
      return { ...this.#candidate(text, counts, similarity, false), ...own, term };
    });
  }

  #candidate(term: string, counts: TermCounts, similarity: number, isOriginal: boolean): Candidate {
    const score = similarity * ((counts.totalTermFreq + 1) / (this.#terms.tokenCount + 1));
    return { term, ...counts, similarity, score, isOriginal };
  }

  /** The more frequent a word is, the more frequent must be what it is corrected to. */
  #frequencyToExceed(docFreq: number): number {
    const { minDocFreq } = this.#generator.spelling;
    const plateau = minDocFreq >= 1 ? Math.trunc(minDocFreq) : Math.trunc(this.#terms.tokenCount * minDocFreq);
    const growth = Math.log10(docFreq - plateau) * (1 / Math.log10(FREQUENCY_LOG_BASE)) + 1;
    const frequency = Math.round(docFreq * growth);
    return Number.isNaN(frequency) ? 0 : Math.min(Math.max(0, frequency), 0x7fff_ffff);
  }
}

export class CandidateFinder {
  readonly #generators: readonly ShardGenerator[];
  readonly #sizeMax: number;

  /** @param sizeMax candidates of one word over all generators */
  constructor(context: ShardSearchContext, { generators }: PhraseSuggester, sizeMax: number) {
    this.#generators = generators.flatMap((generator) => {
      const terms = FieldTerms.of(context.searcher, context.mapping.field(generator.field)?.path ?? generator.field);
      return terms === null ? [] : [new ShardGenerator(context, generator, terms)];
    });
    this.#sizeMax = sizeMax;
  }

  /** No document of the shard has any of the fields. */
  get isEmpty(): boolean {
    return this.#generators.length === 0;
  }

  /** The word as it stands, by the first generator. */
  original(term: string): Candidate {
    const [first] = this.#generators;
    if (first === undefined) throw illegalArgument('a phrase suggestion has no candidate generator');
    return first.original(term, 1, true);
  }

  /** A term that an analyzer puts in place of a word; null where no document has it. */
  synonym(term: string, likelihood: number): Candidate | null {
    const found = this.#generators[0]?.original(term, likelihood, false) ?? null;
    return found === null || found.docFreq === 0 ? null : found;
  }

  /** @param synonyms candidates that are there already */
  find(original: Candidate, synonyms: readonly Candidate[]): WordCandidates {
    const byTerm = new Map(synonyms.map((one) => [one.term, one]));
    // Where several generators find a term, the last one counts.
    for (const generator of this.#generators) {
      for (const one of generator.candidates(original)) byTerm.set(one.term, one);
    }
    const others = [...byTerm.values()].sort((a, b) => b.score - a.score || compareTexts(a.term, b.term));
    return { original, others: others.slice(0, this.#sizeMax) };
  }
}

function namedAnalyzer({ analyzers }: ShardSearchContext, name: string | null): Analyzer | null {
  if (name === null) return null;
  const analyzer = analyzers.get(name);
  if (analyzer) return analyzer;
  throw illegalArgument(`Analyzer [${name}] doesn't exists`);
}
