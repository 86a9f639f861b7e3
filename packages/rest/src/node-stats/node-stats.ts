/**
 * A node's part of `_nodes/stats`: what it counts and measures, in Elasticsearch's shape.
 */
import type { ClusterService } from '@shoal/membership';
import { DiskError } from '@shoal/runtime';
import type { IndexingPressureStats } from '@shoal/shard-api';
import { shardStatsBody, sumShardStats } from '../bodies/shard-stats-body.ts';
import { ingestStatsBody } from '../ingest/ingest-stats-body.ts';
import { breakersBody } from './breakers-body.ts';
import type { NodeMachineStats } from './node-machine-stats.ts';
import { type NodeStatsSource, nodeIdentity } from './node-stats-source.ts';
import { threadPoolStats } from './thread-pool-sections.ts';

type Json = Readonly<Record<string, unknown>>;

const NO_WRITES: IndexingPressureStats = { currentBytes: 0, totalBytes: 0, rejections: 0, limitBytes: 0 };

export async function nodeStats(options: NodeStatsSource, machine: NodeMachineStats): Promise<Json> {
  const { runtime, cluster, ingest, shards: here } = options;
  const shards = here === null ? [] : await here.stats();
  const traffic = cluster.transport.stats();
  return {
    timestamp: runtime.clock.wallMs(),
    ...nodeIdentity(options),
    indices: {
      ...shardStatsBody(sumShardStats(shards), null),
      shard_stats: { total_count: shards.length },
    },
    ...machine.sections(here?.workerThreads() ?? 0),
    thread_pool: threadPoolStats(here?.threadPools() ?? null),
    discovery: discoveryStats(cluster),
    fs: await fileSystem(options),
    transport: {
      server_open: traffic.inboundSockets,
      total_outbound_connections: traffic.outboundConnections,
      rx_count: traffic.rxFrames,
      rx_size_in_bytes: traffic.rxBytes,
      tx_count: traffic.txFrames,
      tx_size_in_bytes: traffic.txBytes,
      refused_sockets: traffic.refusedSockets,
    },
    ...httpStats(options),
    ingest: ingestStatsBody(ingest.total, await ingest.all(cluster.state().metadata)),
    breakers: breakersBody(options),
    indexing_pressure: pressureBody(here?.heldWrites() ?? NO_WRITES),
  };
}

function httpStats({ http }: NodeStatsSource): Json {
  const port = http();
  if (port === null) return {};
  const { open, opened } = port.connections();
  // Requests are counted by their API, which `_nodes/usage` tells, and by no route.
  return { http: { current_open: open, total_opened: opened, routes: {} } };
}

function pressureBody(held: IndexingPressureStats): Json {
  return {
    memory: {
      current: {
        combined_coordinating_and_primary_in_bytes: held.currentBytes,
        // Bytes are held where the shard is, for the primary: a coordinator passes them on.
        coordinating_in_bytes: 0,
        primary_in_bytes: held.currentBytes,
        replica_in_bytes: 0,
        all_in_bytes: held.currentBytes,
      },
      total: {
        combined_coordinating_and_primary_in_bytes: held.totalBytes,
        coordinating_in_bytes: 0,
        primary_in_bytes: held.totalBytes,
        replica_in_bytes: 0,
        all_in_bytes: held.totalBytes,
        coordinating_rejections: 0,
        primary_rejections: held.rejections,
        replica_rejections: 0,
      },
      limit_in_bytes: held.limitBytes,
    },
  };
}

/** The queue holds at most one state: between its acceptance and its commit. */
function discoveryStats(cluster: ClusterService): Json {
  const { acceptedVersion, receivedStates } = cluster.diagnose();
  const pending = acceptedVersion > cluster.state().version ? 1 : 0;
  return {
    cluster_state_queue: { total: pending, pending, committed: 0 },
    published_cluster_states: {
      full_states: receivedStates.full,
      incompatible_diffs: receivedStates.incompatibleDiffs,
      compatible_diffs: receivedStates.compatibleDiffs,
    },
  };
}

async function fileSystem({ runtime, dataPath }: NodeStatsSource): Promise<Json> {
  const timestamp = runtime.clock.wallMs();
  if (dataPath === null) return { timestamp, total: {}, data: [] };
  try {
    const { totalBytes, freeBytes } = await runtime.disk.space(dataPath);
    const space = { total_in_bytes: totalBytes, free_in_bytes: freeBytes, available_in_bytes: freeBytes };
    return { timestamp, total: space, data: [{ path: dataPath, ...space }] };
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    // Numbers that cannot be had are left out, as Elasticsearch does.
    return { timestamp, total: {}, data: [] };
  }
}
