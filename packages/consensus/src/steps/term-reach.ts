/**
 * Terms that a node believes when another one names them.
 *
 * A term on disk is never taken back, and whoever leads must have one above those of all voters: a single message with a
 * term near the largest number would end a cluster for good. Pre-votes keep terms from growing while no election can be
 * won, so that nodes which lost sight of each other come back a handful of terms apart, and never far.
 */

/**
 * Terms that another node may be ahead. With an election every second, won and lost at once, a node would have to be
 * away for eleven days to need more.
 */
export const TERM_JUMP_MAX = 1_000_000;

/**
 * Highest term that a node enters. What is left up to 2^53 are the terms that one more than the highest may reach, and
 * numbers that are still exact.
 */
export const TERM_MAX: number = 2 ** 52;

/** Highest version of a state that a node accepts; the leader behind it still has to count on. */
export const VERSION_MAX: number = 2 ** 52;

/** @param own term of the node that is told */
export function isTermInReach(own: number, term: number): boolean {
  return term <= TERM_MAX && term - own <= TERM_JUMP_MAX;
}
