/**
 * A node's part of `_nodes/usage`: which APIs it was asked for, and which aggregations its shards.
 */
import type { NodeStatsSource } from './node-stats-source.ts';

type Json = Readonly<Record<string, unknown>>;

/** @param startedAtMs wall time since which the node counts */
export function nodeUsage({ runtime, requestUsage, shards }: NodeStatsSource, startedAtMs: number): Json {
  return {
    timestamp: runtime.clock.wallMs(),
    since: startedAtMs,
    rest_actions: Object.fromEntries(requestUsage.read()),
    aggregations: shards === null ? {} : usageByType(shards.aggregationUsage()),
  };
}

/** Counts under `type:source type` as one object a type. */
function usageByType(counts: ReadonlyMap<string, number>): Json {
  const types = new Map<string, Record<string, number>>();
  for (const [name, count] of counts) {
    const [type = '', source = ''] = name.split(':');
    const ofType = types.get(type) ?? {};
    ofType[source] = count;
    types.set(type, ofType);
  }
  return Object.fromEntries(types);
}
