/**
 * How likely a word is behind the one or two before it, by the counts of a field whose terms are words and sequences of words.
 *
 * The models are those that `smoothing` names; they differ in what they say of sequences that the index has never seen.
 */
import { unreachable } from '@shoal/core';
import type { Smoothing } from '@shoal/query';
import type { FieldTerms } from './field-terms.ts';

/** Keeps a division by a count of 0 finite. */
const EPSILON = 1e-11;

/** A word of a path, with its occurrences in the field that it came from. */
export interface ModelWord {
  readonly term: string;
  readonly totalTermFreq: number;
}

export class WordModel {
  readonly #terms: FieldTerms;
  readonly #smoothing: Smoothing;
  readonly #separator: string;

  constructor(terms: FieldTerms, smoothing: Smoothing, separator: string) {
    this.#terms = terms;
    this.#smoothing = smoothing;
    this.#separator = separator;
  }

  /** Likelihood of the word at the end of `words`, of which up to `gramSize` count. */
  likelihood(words: readonly ModelWord[], gramSize: number): number {
    const word = words.at(-1) as ModelWord;
    const before = gramSize > 1 ? words.at(-2) : undefined;
    if (before === undefined) return this.#ofOne(word);
    const beforeThat = gramSize > 2 ? words.at(-3) : undefined;
    return beforeThat === undefined ? this.#ofTwo(before, word) : this.#ofThree(beforeThat, before, word);
  }

  #count(...words: readonly ModelWord[]): number {
    return this.#terms.counts(words.map(({ term }) => term).join(this.#separator)).totalTermFreq;
  }

  #ofOne(word: ModelWord): number {
    const { tokenCount, distinctCount } = this.#terms;
    const added = this.#smoothing.kind === 'laplace' ? this.#smoothing.alpha : 1;
    return (added + this.#count(word)) / (tokenCount + added * distinctCount);
  }

  #ofTwo(before: ModelWord, word: ModelWord): number {
    const smoothing = this.#smoothing;
    const count = this.#count(before, word);
    switch (smoothing.kind) {
      case 'stupid_backoff':
        return count < 1 ? smoothing.discount * this.#ofOne(word) : count / (before.totalTermFreq + EPSILON);
      case 'laplace':
        return (smoothing.alpha + count) / (before.totalTermFreq + smoothing.alpha * this.#terms.distinctCount);
      case 'linear': {
        const ofOne = smoothing.unigram * this.#ofOne(word);
        return count < 1 ? ofOne : smoothing.bigram * (count / (0.5 + before.totalTermFreq)) + ofOne;
      }
      default:
        return unreachable(smoothing);
    }
  }

  #ofThree(first: ModelWord, before: ModelWord, word: ModelWord): number {
    const smoothing = this.#smoothing;
    switch (smoothing.kind) {
      case 'stupid_backoff': {
        const pairs = this.#count(before, word);
        if (pairs < 1) return smoothing.discount * this.#ofOne(word);
        const count = this.#count(first, before, word);
        if (count < 1) return smoothing.discount * (pairs / (before.totalTermFreq + EPSILON));
        return count / (pairs + EPSILON);
      }
      case 'laplace': {
        const { alpha } = smoothing;
        const pairs = this.#count(before, word);
        return (alpha + this.#count(first, before, word)) / (pairs + alpha * this.#terms.distinctCount);
      }
      case 'linear': {
        // The words stand in reverse order, as Elasticsearch looks them up.
        const count = this.#count(word, before, first);
        if (count < 1) return this.#ofTwo(before, word);
        return smoothing.trigram * (count / (1 + this.#count(word, before))) + this.#ofTwo(before, word);
      }
      default:
        return unreachable(smoothing);
    }
  }
}
