/**
 * The best corrections of a text: of all paths through the candidates of its words, those most likely to have been meant, where a
 * word was either mistyped (how alike it is) or meant as it stands (a fixed likelihood), and is as likely as the words before it say.
 *
 * The paths are as many as the candidates of all words multiplied: their number is bounded.
 *
 * @see Kernighan, Church & Gale, "A Spelling Correction Program Based on a Noisy Channel Model" (1990)
 */
import { illegalArgument } from '@shoal/core';
import { compareTexts } from './spell-checker.ts';
import type { Candidate, WordCandidates } from './word-candidates.ts';
import type { WordModel } from './word-model.ts';

/** Steps from word to word that one text may take: a second's work. */
const STEPS_MAX = 1_000_000;
/** Steps between two looks at the clock. */
const STEPS_PER_SLICE = 1_000;

export interface CorrectionOptions {
  /** Corrections wanted. */
  readonly count: number;
  readonly gramSize: number;
  /** Likelihood that a word was meant as it stands. */
  readonly realWordLikelihood: number;
  /** Words that may be wrong: a share of the text below 1, else their number. */
  readonly maxErrors: number;
  /** A correction must be better than the text as it stands times this; 0: any is good. */
  readonly confidence: number;
}

export interface CorrectedPhrase {
  readonly words: readonly Candidate[];
  readonly score: number;
}

export interface CorrectedPhrases {
  /** The best first. */
  readonly phrases: readonly CorrectedPhrase[];
  /** Score that a correction had to exceed. */
  readonly cutoff: number;
}

/** Least positive number: what no score has to exceed more than. */
const NO_CUTOFF = Number.MIN_VALUE;

export const NO_PHRASES: CorrectedPhrases = { phrases: [], cutoff: NO_CUTOFF };

/** @param words never empty */
export function* correctPhrase(
  words: readonly WordCandidates[],
  model: WordModel,
  options: CorrectionOptions,
): Generator<void, CorrectedPhrases> {
  const search = new PhraseSearch(words, model, options);
  yield* search.walk();
  return { phrases: search.best, cutoff: search.cutoff };
}

class PhraseSearch {
  /** The best first. */
  readonly best: CorrectedPhrase[] = [];
  readonly cutoff: number;
  readonly #words: readonly WordCandidates[];
  readonly #model: WordModel;
  readonly #options: CorrectionOptions;
  readonly #path: Candidate[] = [];
  #steps = 0;

  constructor(words: readonly WordCandidates[], model: WordModel, options: CorrectionOptions) {
    this.#words = words;
    this.#model = model;
    this.#options = options;
    this.cutoff = options.confidence > 0 ? this.#scoreAsWritten() * options.confidence : NO_CUTOFF;
  }

  walk(): Generator<void, void> {
    const { maxErrors } = this.#options;
    const errors = maxErrors >= 1 ? Math.trunc(maxErrors) : Math.round(maxErrors * this.#words.length);
    return this.#from(0, Math.max(1, errors), 0);
  }

  #scoreAsWritten(): number {
    let sum = 0;
    for (const { original } of this.#words) {
      this.#path.push(original);
      sum += this.#wordScore(this.#path.length - 1);
    }
    this.#path.length = 0;
    return Math.exp(sum);
  }

  *#from(at: number, errorsLeft: number, before: number): Generator<void, void> {
    const { original, others } = this.#words[at] as WordCandidates;
    const isLast = at === this.#words.length - 1;
    const choices = errorsLeft > 0 ? [original, ...others] : [original];
    for (const choice of choices) {
      this.#steps++;
      if (this.#steps > STEPS_MAX) throw tooManyPaths();
      if (this.#steps % STEPS_PER_SLICE === 0) yield;
      this.#path[at] = choice;
      const score = before + this.#wordScore(at);
      if (isLast) this.#offer(Math.exp(score));
      else yield* this.#from(at + 1, choice === original ? errorsLeft : errorsLeft - 1, score);
    }
    this.#path.length = at;
  }

  /** Decimal logarithm of how likely the word is here, times how likely it was written so. */
  #wordScore(at: number): number {
    const { gramSize, realWordLikelihood } = this.#options;
    const word = this.#path[at] as Candidate;
    const channel = word.similarity === 1 ? realWordLikelihood : word.similarity;
    const words = this.#path.slice(Math.max(0, at - 2), at + 1);
    return Math.log10(channel * this.#model.likelihood(words, gramSize));
  }

  #offer(score: number): void {
    if (!(score > this.cutoff)) return;
    const { best } = this;
    const { count } = this.#options;
    const last = best[count - 1];
    if (last !== undefined && compare({ words: this.#path, score }, last) >= 0) return;
    const phrase = { words: [...this.#path], score };
    let position = best.length;
    while (position > 0 && compare(phrase, best[position - 1] as CorrectedPhrase) < 0) position--;
    best.splice(position, 0, phrase);
    if (best.length > count) best.pop();
  }
}

/** The more likely first; of equal ones the first by its words. */
function compare(a: CorrectedPhrase, b: CorrectedPhrase): number {
  if (a.score !== b.score) return b.score - a.score;
  for (const [i, { term }] of a.words.entries()) {
    const order = compareTexts(term, b.words[i]?.term ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

/** 400: the candidates of the words make too many texts. */
function tooManyPaths(): Error {
  return illegalArgument(
    `a phrase suggestion has more than [${STEPS_MAX}] combinations of words to judge: ask for fewer candidates, errors or words`,
  );
}
