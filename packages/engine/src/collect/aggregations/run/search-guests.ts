/**
 * Other threads of the node that take part in a long search, as the thread that owns the shard sees them.
 */
import type { DocPart } from '../../walk/part-walk.ts';
import type { CollectorState } from '../collector/state-sharing.ts';

/** What is divided among the threads of one search. */
export interface SharedParts {
  readonly parts: readonly DocPart[];
  /** Memory of the `PartClaims` by which each thread takes its share. */
  readonly claims: SharedArrayBuffer;
}

/** What a thread collected of some parts, one state for each of the outermost aggregations. */
export interface PartStates {
  /** Positions among the parts, ascending. */
  readonly parts: readonly number[];
  /** Matches in them. */
  readonly total: number;
  readonly states: readonly CollectorState[];
}

export interface SearchGuests {
  /**
   * Asks threads that have nothing to do, as many as there are.
   *
   * @param onStates called once for each guest that answers; one that fails or ends says nothing
   */
  ask(shared: SharedParts, onStates: (found: readonly PartStates[]) => void): AskedGuests;
}

export interface AskedGuests {
  /** All guests have answered or failed, or there is none. */
  readonly areDone: boolean;
  /** Resolves at the next answer, and after `ms` at the latest. */
  wait(ms: number): Promise<void>;
}

/** Which searches are shared, and with whom. */
export interface SearchSharing {
  /** null: the thread is alone. */
  readonly guests: SearchGuests | null;
  /** Matches, as far as they can be told before, from which a search is divided. */
  readonly matchesMin: number;
  /** Documents of a part at least. */
  readonly partDocsMin: number;
  /** Time after which a search that goes on asks for guests, in ms. */
  readonly askAfterMs: number;
}
