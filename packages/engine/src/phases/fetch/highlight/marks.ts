/**
 * Words, patterns and phrases that a query looks for, by field: the input of highlighting.
 */

/** Whether a word is one that was looked for. */
export type WordTest = (word: string) => boolean;

export interface MarkedPlace {
  readonly test: WordTest;
  /** Place in the phrase. */
  readonly offset: number;
}

export interface MarkedPhrase {
  readonly field: string;
  /** At least two. */
  readonly places: readonly MarkedPlace[];
  readonly slop: number;
}

export interface MarkedPattern {
  readonly field: string;
  readonly test: WordTest;
}

export interface MarkedTerms {
  /** Words to mark wherever they stand, by field. */
  readonly words: ReadonlyMap<string, ReadonlySet<string>>;
  readonly patterns: readonly MarkedPattern[];
  readonly phrases: readonly MarkedPhrase[];
}
