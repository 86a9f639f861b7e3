/**
 * `wait_for_active_shards`: how many copies of a shard must serve before a request is answered.
 */
import { illegalArgument } from '@shoal/core';

const COUNT = /^\d{1,9}$/;

/** null when not given. */
export function parseActiveShards(text: string | null): number | 'all' | null {
  if (text === null) return null;
  if (text === 'all') return 'all';
  if (COUNT.test(text)) return Number(text);
  throw illegalArgument(`cannot parse ActiveShardCount[${text}]`);
}
