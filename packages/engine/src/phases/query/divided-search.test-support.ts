/** Searches that several threads take part in, all of them played by the thread of a test. */
import type { QueryShardRequest } from '@shoal/shard-api';
import type { PartStates } from '../../collect/aggregations/run/search-guests.ts';
import { BLOCK_DOCS } from '../../format/reader/number-blocks.ts';
import type { StopSignal } from '../../pacing/stop-signal.ts';
import type { LentSearcher } from '../context/lent-searcher.ts';
import type { QueryContext } from '../context/query-context.ts';
import type { GuestSearch } from '../context/search-division.ts';
import type { ShardQueryOutcome } from '../context/shard-search-context.ts';
import { executeAsGuest } from './execute-as-guest.ts';
import { executeShardQuery } from './execute-query.ts';
import { shardRequest } from './memory-searcher.test-support.ts';

/** A look at the clock takes a millisecond: every few of them the threads take turns. */
export function tickingClock(): { monotonicMs(): number; wallMs(): number } {
  let nowMs = 0;
  return { monotonicMs: () => nowMs++, wallMs: () => 0 };
}

const yieldNow = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export type Guest = (search: GuestSearch) => Promise<readonly PartStates[]>;

/** A guest with a searcher of its own over the same documents. What it says is cloned, as between threads. */
export function guestWith(context: QueryContext): Guest {
  return async ({ request, shared }) =>
    structuredClone(await executeAsGuest({ ...context, yieldNow }, request, shared, tickingClock()));
}

/** Each small segment is a part, and each block of a large one. */
const DIVIDED = { matchesMin: 0, partDocsMin: BLOCK_DOCS, askAfterMs: 0 };

/** Lent to guests that have it already. */
const NOTHING_LENT: LentSearcher = {
  shard: { index: 'test', indexUuid: 'uuid', number: 0 },
  segments: [],
  mapping: '{}',
  settings: {},
  aliases: [],
};

export interface DividedRun {
  readonly outcome: ShardQueryOutcome;
  /** Parts that guests collected. */
  readonly byGuests: number;
}

/** @param guests null: one thread, whose searches are never divided; none: one that knows of no other */
export async function runDivided(
  context: QueryContext,
  guests: readonly Guest[] | null,
  body: unknown,
  { stop = { isStopped: false }, ...options }: Partial<Pick<QueryShardRequest, 'topN'>> & { stop?: StopSignal } = {},
): Promise<DividedRun> {
  let byGuests = 0;
  const ask = (search: GuestSearch, onStates: (found: readonly PartStates[]) => void) => {
    let left = guests?.length ?? 0;
    for (const guest of guests ?? []) {
      const answer = guest(search).then((found) => {
        for (const { parts } of found) byGuests += parts.length;
        onStates(found);
      });
      // A guest that fails says nothing.
      answer.catch(() => {}).finally(() => left--);
    }
    return {
      get areDone(): boolean {
        return left === 0;
      },
      wait: () => yieldNow(),
    };
  };
  const division = { ...DIVIDED, ask: guests !== null && guests.length > 0 ? ask : null };
  const shared: QueryContext = guests === null ? context : { ...context, yieldNow, division, lend: () => NOTHING_LENT };
  const packed = { search: new Uint8Array(0), aliasFilter: null };
  const request = shardRequest(body, { packed, ...options });
  const outcome = await executeShardQuery(shared, request, stop, tickingClock());
  return { outcome, byGuests };
}
