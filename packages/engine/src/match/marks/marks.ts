/**
 * Words, patterns and phrases that a query looks for, by field: the input of highlighting.
 */
import type { FuzzyQuery, HighlighterType, PatternQuery, QueryValue, RangeQuery } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import type { CompileContext } from '../context/compile-context.ts';

/** Whether a word is one that was looked for. */
export type WordTest = (word: string) => boolean;

export interface MarkedPosition {
  readonly test: WordTest;
  /** Position in the phrase, from 0. */
  readonly offset: number;
}

export interface MarkedPhrase {
  readonly field: string;
  /** Place among the words and phrases of the query, from 0. */
  readonly number: number;
  /** At least two. */
  readonly positions: readonly MarkedPosition[];
  readonly slop: number;
  /** Position behind the last one where its words are marked; left out: all are. */
  readonly endMax?: number;
}

export interface MarkedPattern {
  readonly field: string;
  /** Place among the words and phrases of the query, from 0. */
  readonly number: number;
  readonly test: WordTest;
  /** Position behind the last one where words are marked; left out: all are. */
  readonly endMax?: number;
}

export interface MarkedTerms {
  /** Words to mark wherever they stand, by field, each with its place among the words and phrases of the query. */
  readonly words: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly patterns: readonly MarkedPattern[];
  readonly phrases: readonly MarkedPhrase[];
}

/** What is asked of a pattern to mark the words that it matches. */
export type PatternMark = Pick<PatternQuery, 'field' | 'kind' | 'value' | 'isCaseInsensitive' | 'operators'>;

/** What is asked of a fuzzy word to mark those near it. */
export type FuzzyMark = Pick<FuzzyQuery, 'field' | 'value' | 'fuzziness' | 'prefixLength' | 'hasTranspositions'> & {
  readonly maxExpansions?: number;
};

/** What is asked of a range to mark the words that lie in it. */
export type RangeMark = Pick<RangeQuery, 'field' | 'from' | 'includesFrom' | 'to' | 'includesTo'>;

/** Takes what kinds of queries look for; knows the fields that have words. */
export interface MarkSink {
  /** The shard whose analysis is that of the query. */
  readonly ctx: CompileContext;
  /** Some queries are known to some highlighters only. */
  readonly highlighter: HighlighterType;
  /** The field, if it is mapped and has words; null otherwise. */
  textField(name: string): FieldMapping | null;
  /** A word as it is indexed. */
  word(field: string, word: string): void;
  /** A whole value, where the field has words. */
  value(field: string, value: QueryValue): void;
  /** Words that begin with a text. */
  prefix(field: string, prefix: string): void;
  pattern(query: PatternMark): void;
  fuzzy(query: FuzzyMark): void;
  range(query: RangeMark): void;
  addPhrase(phrase: Omit<MarkedPhrase, 'number'>): void;
  /** What `mark` adds is marked in front of that position alone. */
  before(end: number, mark: () => void): void;
  /** What `mark` adds is marked word by word, wherever the words of a phrase stand; with `isSpare` only in fields without any marks so far. */
  apart(isSpare: boolean, mark: () => void): void;
}
