/** Counts of the lookups of processors `enrich` on a node. Any node → any node. Channel `reg`. */
import { ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';

export interface EnrichStatsMessage {
  readonly hits: number;
  readonly misses: number;
  /** Time that searches for what was not remembered took, in milliseconds. */
  readonly missesMs: number;
  readonly evictions: number;
  /** Searches since the node started, and those that run now. */
  readonly searches: number;
  readonly running: number;
  /** Lookups that are remembered, and the characters of what they found. */
  readonly entries: number;
  readonly chars: number;
}

const COUNT_MAX = Number.MAX_SAFE_INTEGER;

export const ENRICH_STATS: ActionCodec<Readonly<Record<string, never>>, EnrichStatsMessage> = {
  name: 'cluster:monitor/xpack/enrich/stats[n]',
  writeRequest: () => ({ message: {} }),
  readRequest: () => ({}),
  writeResponse: (response) => ({ message: { ...response } }),
  readResponse: (body) => {
    const r = ValueReader.of(body.message);
    const count = (field: keyof EnrichStatsMessage): number => r.integer(field, 0, COUNT_MAX);
    return {
      hits: count('hits'),
      misses: count('misses'),
      missesMs: count('missesMs'),
      evictions: count('evictions'),
      searches: count('searches'),
      running: count('running'),
      entries: count('entries'),
      chars: count('chars'),
    };
  },
};
