/**
 * Thread pools of a node: its worker threads do every kind of work, so a pool is a kind of call, and all pools share the threads.
 *
 * A worker answers its calls in order: the oldest unanswered call is the one it works on, the others wait.
 */
import { assert } from '@shoal/core';
import { THREAD_POOLS, type ThreadPoolName, type ThreadPoolStats } from '@shoal/shard-api';
import type { WorkerCallName } from '../calls/worker-calls.ts';

export type ThreadPoolsStats = Readonly<Record<ThreadPoolName, ThreadPoolStats>>;

const POOL_OF_CALL: Readonly<Record<WorkerCallName, ThreadPoolName>> = {
  open: 'management',
  close: 'management',
  lead: 'management',
  follow: 'management',
  peerRecovery: 'management',
  write: 'write',
  copyRequest: 'write',
  copyAnswered: 'write',
  managerAnswered: 'management',
  get: 'get',
  termVectors: 'get',
  query: 'search',
  queryShards: 'search',
  searchAsGuest: 'search',
  fetch: 'search',
  scroll: 'search',
  rank: 'search',
  rankRound: 'search',
  enumerateTerms: 'search',
  statistics: 'search',
  suggest: 'search',
  openReader: 'search',
  freeContexts: 'search',
  freeAllContexts: 'search',
  refresh: 'refresh',
  waitForRefresh: 'refresh',
  flush: 'flush',
  forceMerge: 'management',
  segments: 'management',
  copyDocuments: 'management',
  reloadSearchAnalyzers: 'management',
  clearCaches: 'management',
  updateMapping: 'management',
  updateSettings: 'management',
  updateAliases: 'management',
  snapshot: 'management',
  stats: 'management',
  profile: 'management',
};

export function poolOf(call: WorkerCallName): ThreadPoolName {
  return POOL_OF_CALL[call];
}

export class ThreadPools {
  readonly #completed = new Map<ThreadPoolName, number>();
  readonly #rejected = new Map<ThreadPoolName, number>();
  #largest = 0;

  /** Counts a call that a worker answered. */
  completed(call: WorkerCallName): void {
    increment(this.#completed, POOL_OF_CALL[call]);
  }

  /** Counts a call that was refused. */
  rejected(pool: ThreadPoolName): void {
    increment(this.#rejected, pool);
  }

  /** @param threads that run, after one was started */
  started(threads: number): void {
    assert(threads >= 1, `${threads} threads run after one was started`);
    this.#largest = Math.max(this.#largest, threads);
  }

  /** @param pending unanswered calls of each running thread, oldest first */
  stats(pending: readonly (readonly WorkerCallName[])[]): ThreadPoolsStats {
    const pools = pending.map((calls) => calls.map((call) => POOL_OF_CALL[call]));
    const entries = THREAD_POOLS.map((pool) => {
      const active = pools.filter(([oldest]) => oldest === pool).length;
      const all = pools.reduce((sum, calls) => sum + calls.filter((other) => other === pool).length, 0);
      assert(active <= all && active <= pending.length, `${active} of ${all} calls run on ${pending.length} threads`);
      const stats: ThreadPoolStats = {
        threads: pending.length,
        queue: all - active,
        active,
        rejected: this.#rejected.get(pool) ?? 0,
        largest: this.#largest,
        completed: this.#completed.get(pool) ?? 0,
      };
      return [pool, stats] as const;
    });
    return Object.fromEntries(entries) as ThreadPoolsStats; // One entry for each name of the type.
  }
}

function increment(counts: Map<ThreadPoolName, number>, pool: ThreadPoolName): void {
  counts.set(pool, (counts.get(pool) ?? 0) + 1);
}
