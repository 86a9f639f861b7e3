/**
 * Long searches of a shard that several threads of the node take part in.
 */
import type { QueryShardRequest } from '@shoal/shard-api';
import type {
  AskedGuests,
  PartStates,
  SearchSharing,
  SharedParts,
} from '../../collect/aggregations/run/search-guests.ts';
import { PART_DOCS_MIN } from '../../collect/walk/part-walk.ts';
import type { LentSearcher } from './lent-searcher.ts';

/** What a guest is asked. */
export interface GuestSearch {
  readonly searcher: LentSearcher;
  readonly request: QueryShardRequest;
  readonly shared: SharedParts;
}

export interface SearchDivision extends Omit<SearchSharing, 'guests'> {
  /** Asks threads that have nothing to do; null: there is none beside this one. */
  readonly ask: ((search: GuestSearch, onStates: (found: readonly PartStates[]) => void) => AskedGuests) | null;
}

/** Searches of fewer matches, or that are over sooner, cost more to divide than they gain. */
export const DIVISION_LIMITS: Omit<SearchDivision, 'ask'> = {
  matchesMin: 4 * PART_DOCS_MIN,
  partDocsMin: PART_DOCS_MIN,
  askAfterMs: 5,
};
