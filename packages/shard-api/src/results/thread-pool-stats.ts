/**
 * Numbers of one thread pool of a node, as `_nodes/stats` and `_cat/thread_pool` show them.
 */
export interface ThreadPoolStats {
  /** Threads that run at the moment. */
  readonly threads: number;
  /** Calls that wait for a thread. */
  readonly queue: number;
  /** Calls that a thread works on. */
  readonly active: number;
  /** Calls refused because the queue was full, since the start of the node. */
  readonly rejected: number;
  /** Most threads that ever ran at once. */
  readonly largest: number;
  /** Calls answered since the start of the node, with results or errors. */
  readonly completed: number;
}

/** Pools of a node with shards, by the kind of work that its worker threads do. */
export const THREAD_POOLS = ['flush', 'get', 'management', 'refresh', 'search', 'write'] as const;

export type ThreadPoolName = (typeof THREAD_POOLS)[number];

/** Searches that may wait for one worker thread before more of them are refused. */
export const SEARCH_QUEUE_MAX = 1000;
