/**
 * Answers what a node says of itself: its part of `_nodes` and of `_nodes/stats`, in Elasticsearch's shape.
 */
import type { ClusterService } from '@shoal/cluster';
import { shardStatsBody, shownRoles, sumShardStats } from '@shoal/coordinator';
import { API_VERSION, renderByteSize, type Settings, SHOAL_VERSION } from '@shoal/core';
import { NODE_INFO, NODE_STATS } from '@shoal/protocol';
import { DiskError, type Runtime } from '@shoal/runtime';
import { handleWith } from '@shoal/transport';
import type { NodeMachineStats } from '../node/node-machine-stats.ts';
import type { NodeConfig } from '../settings/node-config.ts';
import type { ShardSupervisor } from '../shards/shard-supervisor.ts';
import type { IndexingPressure } from './indexing-pressure.ts';
import { collectShardStats } from './maintenance-handlers.ts';

type Json = Readonly<Record<string, unknown>>;

export interface NodeHandlerOptions {
  readonly runtime: Runtime;
  readonly cluster: ClusterService;
  readonly supervisor: ShardSupervisor;
  readonly pressure: IndexingPressure;
  readonly machine: NodeMachineStats;
  readonly settings: Settings;
  readonly config: NodeConfig;
  readonly dataPath: string;
  readonly startedAtMs: number;
}

/** Settings whose values are nobody else's business. */
const HIDDEN_SETTING = /password|secret|token|key$/i;

export function registerNodeHandlers(options: NodeHandlerOptions): void {
  const { transport } = options.cluster;
  handleWith(transport, NODE_INFO, () => ({ info: nodeInfo(options) }));
  handleWith(transport, NODE_STATS, async () => ({ stats: await nodeStats(options) }));
}

/** What both answers begin with. */
function identityOf({ cluster }: NodeHandlerOptions): Json {
  const { localNode } = cluster;
  const { host, port } = localNode.address;
  return {
    name: localNode.name,
    transport_address: `${host}:${port}`,
    host,
    ip: host,
    roles: shownRoles(localNode.roles),
    attributes: localNode.attributes,
  };
}

function nodeInfo(options: NodeHandlerOptions): Json {
  const { runtime, cluster, settings, config, startedAtMs } = options;
  const { machine } = runtime;
  const sample = machine.sample();
  const { host, port } = cluster.localNode.address;
  const shown = Object.entries(settings.toFlat()).filter(([name]) => !HIDDEN_SETTING.test(name));
  return {
    ...identityOf(options),
    version: API_VERSION.number,
    build_flavor: 'default',
    build_type: 'tar',
    build_hash: 'unknown',
    shoal: { version: SHOAL_VERSION },
    settings: nested(shown),
    os: {
      available_processors: machine.cpuCount,
      allocated_processors: config.workerCount,
      mem: { total_in_bytes: machine.totalMemoryBytes },
    },
    process: { refresh_interval_in_millis: 1000, id: sample.pid, mlockall: false },
    jvm: {
      pid: sample.pid,
      start_time_in_millis: startedAtMs,
      mem: { heap_init_in_bytes: 0, heap_max_in_bytes: sample.heapMaxBytes },
      memory_pools: [],
      gc_collectors: [],
    },
    thread_pool: {
      search: { type: 'fixed', size: config.workerCount, queue_size: 1000 },
      write: { type: 'fixed', size: config.workerCount, queue_size: -1 },
    },
    transport: {
      bound_address: [`${cluster.transport.boundAddress.host}:${cluster.transport.boundAddress.port}`],
      publish_address: `${host}:${port}`,
      profiles: {},
    },
    ...(cluster.localNode.httpAddress === null
      ? {}
      : {
          http: {
            bound_address: [cluster.localNode.httpAddress],
            publish_address: cluster.localNode.httpAddress,
            max_content_length_in_bytes: config.httpContentBytesMax,
            max_content_length: renderByteSize(config.httpContentBytesMax),
          },
        }),
    plugins: [],
    modules: [],
    ingest: { processors: [] },
  };
}

async function nodeStats(options: NodeHandlerOptions): Promise<Json> {
  const { runtime, cluster, supervisor, pressure, machine } = options;
  const shards = await collectShardStats(supervisor, () => true);
  const traffic = cluster.transport.stats();
  const held = pressure.stats();
  return {
    timestamp: runtime.clock.wallMs(),
    ...identityOf(options),
    indices: {
      ...shardStatsBody(sumShardStats(shards.map((entry) => entry.stats)), null),
      shard_stats: { total_count: shards.length },
    },
    ...machine.sections(supervisor.workerThreads),
    thread_pool: {},
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
    breakers: {
      inflight_requests: {
        limit_size_in_bytes: traffic.inflightLimitBytes,
        limit_size: renderByteSize(traffic.inflightLimitBytes),
        estimated_size_in_bytes: traffic.inflightBytes,
        estimated_size: renderByteSize(traffic.inflightBytes),
        overhead: 1,
        tripped: traffic.breakerTrips,
      },
    },
    indexing_pressure: {
      memory: {
        current: {
          combined_coordinating_and_primary_in_bytes: held.currentBytes,
          primary_in_bytes: held.currentBytes,
          replica_in_bytes: 0,
          all_in_bytes: held.currentBytes,
        },
        total: {
          combined_coordinating_and_primary_in_bytes: held.totalBytes,
          primary_in_bytes: held.totalBytes,
          replica_in_bytes: 0,
          all_in_bytes: held.totalBytes,
          primary_rejections: held.rejections,
          replica_rejections: 0,
        },
        limit_in_bytes: held.limitBytes,
      },
    },
  };
}

async function fileSystem({ runtime, dataPath }: NodeHandlerOptions): Promise<Json> {
  const timestamp = runtime.clock.wallMs();
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

/** `a.b.c: v` as maps in maps, as `_nodes` shows settings. A name that is also a prefix of another stays flat. */
function nested(entries: readonly (readonly [string, string])[]): Json {
  const root: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const parts = name.split('.');
    const last = parts.pop() ?? name;
    const parent = descend(root, parts);
    if (parent === null) root[name] = value;
    else parent[last] = value;
  }
  return root;
}

function descend(root: Record<string, unknown>, parts: readonly string[]): Record<string, unknown> | null {
  let at = root;
  for (const part of parts) {
    const next = (at[part] ??= {});
    if (typeof next !== 'object' || next === null) return null;
    at = next as Record<string, unknown>; // Only maps and texts are put in above.
  }
  return at;
}
