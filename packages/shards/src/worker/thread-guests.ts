/**
 * A thread's share in searches of others, and others' share in its own.
 */
import {
  DIVISION_LIMITS,
  type LentSearcher,
  type PartStates,
  type QueryShardRequest,
  type SearchDivision,
  SearchGuest,
  type SearchGuestOptions,
  type SharedParts,
} from '@shoal/engine';
import type { GuestAsks } from './guest-asks.ts';

export class ThreadGuests {
  /** How long searches of this thread are divided. */
  readonly division: SearchDivision;
  readonly #guest: SearchGuest;

  /** @param asks asks other threads; null: the node has none */
  constructor(options: SearchGuestOptions, asks: GuestAsks | null) {
    this.division = { ...DIVISION_LIMITS, ask: asks && ((search, onStates) => asks.ask(search, onStates)) };
    this.#guest = new SearchGuest(options);
  }

  /** Takes part in a search on a shard of another thread. */
  search(searcher: LentSearcher, request: QueryShardRequest, shared: SharedParts): Promise<readonly PartStates[]> {
    return this.#guest.search(searcher, request, shared);
  }
}
