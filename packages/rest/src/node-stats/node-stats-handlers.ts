/**
 * Answers what a node says of itself: its part of `_nodes` and of `_nodes/stats`, in Elasticsearch's shape.
 */

import { shownRoles } from '@shoal/coordinator';
import { API_VERSION, renderByteSize, SHOAL_VERSION } from '@shoal/core';
import type { ClusterService } from '@shoal/membership';
import { NODE_INFO, NODE_STATS, type ShardStatsMap } from '@shoal/protocol';
import { DiskError, type Runtime } from '@shoal/runtime';
import type { IndexingPressureStats } from '@shoal/shard-api';
import { handleWith } from '@shoal/transport';
import { shardStatsBody, sumShardStats } from '../bodies/shard-stats-body.ts';
import { NodeMachineStats } from './node-machine-stats.ts';

type Json = Readonly<Record<string, unknown>>;

export interface NodeSelf {
  readonly runtime: Runtime;
  readonly cluster: ClusterService;
  /** As the user gave them, flat. */
  readonly settings: Readonly<Record<string, string>>;
  /** null without an HTTP port. */
  readonly httpContentBytesMax: number | null;
  /** null for a node that keeps nothing. */
  readonly dataPath: string | null;
  /** What a node with shards has beside; null without. */
  readonly shards: {
    readonly workerCount: number;
    readonly workerThreads: () => number;
    readonly stats: () => Promise<readonly ShardStatsMap[]>;
    readonly heldWrites: () => IndexingPressureStats;
    readonly requestBreaker: () => BreakerNumbers;
    readonly parentBreaker: () => BreakerNumbers;
  } | null;
}

interface Answering extends NodeSelf {
  readonly machine: NodeMachineStats;
  readonly startedAtMs: number;
}

/** Settings whose values are nobody else's business. */
const HIDDEN_SETTING = /password|secret|token|key$/i;

export function registerNodeHandlers(self: NodeSelf): void {
  const { transport } = self.cluster;
  const { clock, machine } = self.runtime;
  const answering = { ...self, machine: new NodeMachineStats(machine, clock), startedAtMs: clock.wallMs() };
  handleWith(transport, NODE_INFO, () => ({ info: nodeInfo(answering) }));
  handleWith(transport, NODE_STATS, async () => ({ stats: await nodeStats(answering) }));
}

/** What both answers begin with. */
function identityOf({ cluster }: NodeSelf): Json {
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

function nodeInfo(options: Answering): Json {
  const { runtime, cluster, settings, startedAtMs } = options;
  const workerCount = options.shards?.workerCount ?? 0;
  const { machine } = runtime;
  const sample = machine.sample();
  const { host, port } = cluster.localNode.address;
  const shown = Object.entries(settings).filter(([name]) => !HIDDEN_SETTING.test(name));
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
      allocated_processors: workerCount,
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
      search: { type: 'fixed', size: workerCount, queue_size: 1000 },
      write: { type: 'fixed', size: workerCount, queue_size: -1 },
    },
    transport: {
      bound_address: [`${cluster.transport.boundAddress.host}:${cluster.transport.boundAddress.port}`],
      publish_address: `${host}:${port}`,
      profiles: {},
    },
    ...httpInfo(options),
    plugins: [],
    modules: [],
    ingest: { processors: [] },
  };
}

function httpInfo({ cluster, httpContentBytesMax }: NodeSelf): Json {
  const { httpAddress } = cluster.localNode;
  if (httpAddress === null || httpContentBytesMax === null) return {};
  return {
    http: {
      bound_address: [httpAddress],
      publish_address: httpAddress,
      max_content_length_in_bytes: httpContentBytesMax,
      max_content_length: renderByteSize(httpContentBytesMax),
    },
  };
}

/** Of a breaker: what it lets be held, what is held now, and how often it refused more. */
interface BreakerNumbers {
  readonly limitBytes: number;
  readonly usedBytes: number;
  readonly trips: number;
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

const NO_WRITES: IndexingPressureStats = { currentBytes: 0, totalBytes: 0, rejections: 0, limitBytes: 0 };

async function nodeStats(options: Answering): Promise<Json> {
  const { runtime, cluster, machine, shards: here } = options;
  const shards = here === null ? [] : await here.stats();
  const traffic = cluster.transport.stats();
  const held = here?.heldWrites() ?? NO_WRITES;
  return {
    timestamp: runtime.clock.wallMs(),
    ...identityOf(options),
    indices: {
      ...shardStatsBody(sumShardStats(shards), null),
      shard_stats: { total_count: shards.length },
    },
    ...machine.sections(here?.workerThreads() ?? 0),
    thread_pool: {},
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
    breakers: {
      ...(here === null ? {} : { request: breakerBody(here.requestBreaker()) }),
      inflight_requests: breakerBody({
        limitBytes: traffic.inflightLimitBytes,
        usedBytes: traffic.inflightBytes,
        trips: traffic.breakerTrips,
      }),
      ...(here === null ? {} : { parent: breakerBody(here.parentBreaker()) }),
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

/** A state is here at most once before it is applied: between its acceptance and its commit. */
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

async function fileSystem({ runtime, dataPath }: NodeSelf): Promise<Json> {
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
