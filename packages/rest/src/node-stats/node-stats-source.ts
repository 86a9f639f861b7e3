/**
 * Source of a node's part of `_nodes` and `_nodes/stats`.
 */

import { shownRoles } from '@shoal/cluster';
import { showHostPort } from '@shoal/core';
import type { HttpConnections } from '@shoal/http';
import type { PipelineSet } from '@shoal/ingest';
import type { ClusterService } from '@shoal/membership';
import type { ShardStatsMap } from '@shoal/protocol';
import type { BusyStacks, Runtime } from '@shoal/runtime';
import type {
  BreakerNumbers,
  IndexingPressureStats,
  NameCounts,
  ThreadPoolName,
  ThreadPoolStats,
} from '@shoal/shard-api';

type Json = Readonly<Record<string, unknown>>;

/** One worker thread and what it was found at. */
export interface ProfiledWorker {
  readonly name: string;
  readonly profile: {
    /** The kernel's number of the thread; null where the system does not tell. */
    readonly threadId: number | null;
    readonly busy: BusyStacks | null;
  } | null;
}

/** The part of a node with shards. */
export interface ShardStatsSource {
  readonly workerCount: number;
  readonly workerThreads: () => number;
  readonly stats: () => Promise<readonly ShardStatsMap[]>;
  readonly heldWrites: () => IndexingPressureStats;
  readonly requestBreaker: () => BreakerNumbers;
  readonly parentBreaker: () => BreakerNumbers;
  /** What each worker thread is at for a while; null of one that did not answer in time. */
  readonly profiles: (
    durationMs: number,
    sampleIntervalMs: number,
    waitMs: number,
  ) => Promise<readonly ProfiledWorker[]>;
  readonly threadPools: () => Readonly<Record<ThreadPoolName, ThreadPoolStats>>;
  /** How often searches asked for aggregations, by `type:source type`. */
  readonly aggregationUsage: () => ReadonlyMap<string, number>;
}

/** An HTTP port that clients reach a node at. */
export interface HttpPort {
  /** `host:port` */
  readonly address: string;
  /** `http.max_content_length` */
  readonly contentBytesMax: number;
  connections(): HttpConnections;
}

export interface NodeStatsSource {
  readonly runtime: Runtime;
  readonly cluster: ClusterService;
  /** Settings as the user gave them, by their dotted names. */
  readonly settings: Readonly<Record<string, string>>;
  /** HTTP port of this node as it is now; null without one. That of a node in a test opens when somebody wants its address. */
  readonly http: () => HttpPort | null;
  /** Data folder; null for a node that keeps nothing. */
  readonly dataPath: string | null;
  /** Pipelines of this node, with what was counted for them. */
  readonly ingest: PipelineSet;
  /** Requests of this node, counted by API. */
  readonly requestUsage: NameCounts;
  /** null for a node without shards. */
  readonly shards: ShardStatsSource | null;
}

/** Keys that both answers of a node begin with. */
export function nodeIdentity({ cluster }: NodeStatsSource): Json {
  const { localNode } = cluster;
  const { host } = localNode.address;
  return {
    name: localNode.name,
    transport_address: showHostPort(localNode.address),
    host,
    ip: host,
    roles: shownRoles(localNode.roles),
    attributes: localNode.attributes,
  };
}
