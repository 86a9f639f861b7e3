/**
 * Use of a clause inside its query: the boost it inherits, and whether its score is read.
 */

/** How a clause is used: with which factor, and whether anybody reads its score. */
export interface ClauseUse {
  readonly boost: number;
  readonly isScored: boolean;
}
