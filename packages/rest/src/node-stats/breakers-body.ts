/**
 * Section `breakers` of `_nodes/stats`.
 */
import { renderByteSize } from '@shoal/core';
import type { BreakerNumbers } from '@shoal/shard-api';
import type { NodeStatsSource } from './node-stats-source.ts';

type Json = Readonly<Record<string, unknown>>;

export function breakersBody({ cluster, shards }: NodeStatsSource): Json {
  const traffic = cluster.transport.stats();
  return {
    ...(shards === null ? {} : { request: breakerBody(shards.requestBreaker()) }),
    inflight_requests: breakerBody({
      limitBytes: traffic.inflightLimitBytes,
      usedBytes: traffic.inflightBytes,
      trips: traffic.breakerTrips,
    }),
    ...(shards === null ? {} : { parent: breakerBody(shards.parentBreaker()) }),
  };
}

function breakerBody({ limitBytes, usedBytes, trips }: BreakerNumbers): Json {
  return {
    limit_size_in_bytes: limitBytes,
    limit_size: renderByteSize(limitBytes),
    estimated_size_in_bytes: usedBytes,
    estimated_size: renderByteSize(usedBytes),
    overhead: 1,
    tripped: trips,
  };
}
