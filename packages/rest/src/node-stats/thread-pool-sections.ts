/**
 * Sections `thread_pool` of `_nodes` and `_nodes/stats`.
 *
 * A node with shards has one set of worker threads, which all of its pools share. Pools that Elasticsearch has and this server
 * has not stand here with zeros: monitors ask for them by name, and nothing ever runs in them.
 */
import { SEARCH_QUEUE_MAX, THREAD_POOLS, type ThreadPoolName, type ThreadPoolStats } from '@shoal/shard-api';

type Json = Readonly<Record<string, unknown>>;

/** `queue_size` of a pool whose queue has no limit. */
const UNBOUNDED = -1;
const KEEP_ALIVE = '5m';
/** Pools without threads here, by what Elasticsearch uses them for. */
const ABSENT_POOLS: readonly string[] = [
  'fetch_shard_started',
  'fetch_shard_store',
  'force_merge',
  'generic',
  'snapshot',
  'warmer',
];
const NO_STATS: ThreadPoolStats = { threads: 0, queue: 0, active: 0, rejected: 0, largest: 0, completed: 0 };
const ABSENT_INFO: Json = { type: 'scaling', core: 0, max: 0, keep_alive: KEEP_ALIVE, queue_size: UNBOUNDED };

/** @param workerCount threads that the pools share; 0 for a node without shards */
export function threadPoolInfo(workerCount: number): Json {
  const present = THREAD_POOLS.map((pool) => [pool, poolInfo(pool, workerCount)] as const);
  return sorted([...present, ...ABSENT_POOLS.map((pool) => [pool, ABSENT_INFO] as const)]);
}

/** @param pools null for a node without shards */
export function threadPoolStats(pools: Readonly<Record<ThreadPoolName, ThreadPoolStats>> | null): Json {
  const present = THREAD_POOLS.map((pool) => [pool, pools?.[pool] ?? NO_STATS] as const);
  return sorted([...present, ...ABSENT_POOLS.map((pool) => [pool, NO_STATS] as const)]);
}

function poolInfo(pool: ThreadPoolName, workerCount: number): Json {
  return { type: 'fixed', size: workerCount, queue_size: pool === 'search' ? SEARCH_QUEUE_MAX : UNBOUNDED };
}

function sorted(entries: readonly (readonly [string, unknown])[]): Json {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
