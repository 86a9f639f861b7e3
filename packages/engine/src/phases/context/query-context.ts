/**
 * What a search on one shard may use of its thread and of its node.
 */
import type { RequestBreaker } from '../../memory/request-breaker.ts';
import type { YieldNow } from '../../pacing/work-pacer.ts';
import type { SearchDivision } from './search-division.ts';
import type { ShardSearchContext } from './shard-search-context.ts';

/** The shard's own context, and how to let others of this thread run during a long search. */
export interface QueryContext extends ShardSearchContext {
  /** Left out where nobody else can be waiting. */
  readonly yieldNow?: YieldNow;
  /** Counts what searches hold; left out or null: nothing is counted. */
  readonly breaker?: RequestBreaker | null;
  /** How long searches are divided among threads; left out: they never are. */
  readonly division?: SearchDivision;
}
