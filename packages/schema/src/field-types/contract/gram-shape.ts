/**
 * Fields that a declaration makes beside the one that it is of, with runs of the words of the same text.
 */

/** Runs of words as tokens. */
export interface GramSettings {
  /** Words of a run, at least 1. */
  readonly words: number;
  /** Code points of the beginnings that are indexed of each run; null: the run itself is. */
  readonly prefixes: { readonly min: number; readonly max: number } | null;
}

/** Field beside another one. */
export interface SideField {
  /** Last part of its path. */
  readonly name: string;
  readonly grams: GramSettings;
}
