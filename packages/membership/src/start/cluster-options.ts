/**
 * What a node must say to be part of a cluster, and the settings that users give it, by Elasticsearch's names.
 */

import type { ClusterSettings, NoManagerMode } from '@shoal/cluster';
import type { NodeRole } from '@shoal/cluster-state';
import { type BootstrapPlan, type CoordinationSettings, DEFAULT_COORDINATION_SETTINGS } from '@shoal/consensus';
import { illegalArgument, isLoopback } from '@shoal/core';
import type { ListShardStoresRequest } from '@shoal/protocol';
import type { Address } from '@shoal/runtime';
import { parseBoolean, parseDurationMs } from '@shoal/schema';
import type { TransportSettings } from '@shoal/transport';
import type { ManagingClusterService } from '../service/cluster-service.ts';

export interface ClusterOptions {
  readonly clusterName: string;
  readonly nodeName: string;
  readonly roles: readonly NodeRole[];
  readonly attributes?: Readonly<Record<string, string>>;
  /** `node_client` for a node embedded in a user's process. Default `node`. */
  readonly kind?: 'node' | 'node_client';
  /** Default: this build's. Only tests say another one. */
  readonly version?: string;
  /** Folder of this node on the runtime's disk; null: nothing outlives the process. */
  readonly dataPath: string | null;
  /** Space on the data path kept for the cluster state, in bytes; default none. */
  readonly reserveBytes?: number;
  /** Address of the transport; port 0 asks for any free one. */
  readonly bind: Address;
  readonly publishHost?: string;
  readonly transport?: Partial<TransportSettings>;
  /** `host:port` of this node's HTTP, bound already; null without one. */
  readonly httpAddress: string | null;
  /** `discovery.seed_hosts`: `host[:port]`; null: not set, loopback on 9300 is tried. */
  readonly seedHosts: readonly string[] | null;
  /** `cluster.initial_cluster_manager_nodes`; null: not set. */
  readonly initialClusterManagerNodes: readonly string[] | null;
  /** `discovery.type` */
  readonly discoveryType: 'single-node' | null;
  /** `cluster.no_master_block`; a cluster setting of this name wins. */
  readonly noManagerBlock?: NoManagerMode;
  readonly coordination?: Partial<CoordinationSettings>;
  /** Cluster settings that this node was started with. */
  readonly nodeSettings?: ClusterSettings;
  /** Data nodes: which copy of each shard lies on this disk; one answer a shard, in order. */
  readonly listShardStores?: (request: ListShardStoresRequest) => Promise<readonly (string | null)[]>;
  /** Called once, before this node looks for others: registers transport handlers and listeners. */
  readonly register?: (service: ManagingClusterService) => void;
  /** The process must stop: an invariant is broken, or the disk failed under the coordination log. */
  readonly onFatal: (error: unknown) => void;
}

const DEFAULT_SEEDS: readonly string[] = ['127.0.0.1', '[::1]'];

export function seedHostsOf(options: ClusterOptions): readonly string[] {
  return options.discoveryType === 'single-node' ? [] : (options.seedHosts ?? DEFAULT_SEEDS);
}

/** Throws `illegal_argument_exception` for settings that contradict each other. */
export function bootstrapPlanOf(options: ClusterOptions): BootstrapPlan {
  const { discoveryType, initialClusterManagerNodes, seedHosts, bind } = options;
  const names = initialClusterManagerNodes ?? [];
  if (discoveryType === 'single-node') {
    if (names.length > 0) {
      throw illegalArgument(
        'setting [cluster.initial_cluster_manager_nodes] is not allowed when [discovery.type] is set to [single-node]',
      );
    }
    return { kind: 'singleNode' };
  }
  if (names.length > 0) return { kind: 'initialNodes', names };
  const isUnconfigured = initialClusterManagerNodes === null && seedHosts === null;
  return isUnconfigured && isLoopback(bind.host) ? { kind: 'bestEffort' } : { kind: 'none' };
}

type NumberKey = {
  [K in keyof CoordinationSettings]: CoordinationSettings[K] extends number ? K : never;
}[keyof CoordinationSettings];

const DURATIONS: Readonly<Record<string, NumberKey>> = {
  'discovery.find_peers_interval': 'findPeersIntervalMs',
  'discovery.request_peers_timeout': 'requestPeersTimeoutMs',
  'discovery.cluster_formation_warning_timeout': 'formationWarningIntervalMs',
  'discovery.unconfigured_bootstrap_timeout': 'bestEffortBootstrapMs',
  'cluster.election.initial_timeout': 'electionInitialMs',
  'cluster.election.back_off_time': 'electionBackOffMs',
  'cluster.election.max_timeout': 'electionMaxMs',
  'cluster.election.duration': 'electionDurationMs',
  'cluster.join.timeout': 'joinTimeoutMs',
  'cluster.publish.timeout': 'publishTimeoutMs',
  'cluster.follower_lag.timeout': 'followerLagTimeoutMs',
  'cluster.fault_detection.follower_check.interval': 'followerCheckIntervalMs',
  'cluster.fault_detection.follower_check.timeout': 'followerCheckTimeoutMs',
  'cluster.fault_detection.leader_check.interval': 'leaderCheckIntervalMs',
  'cluster.fault_detection.leader_check.timeout': 'leaderCheckTimeoutMs',
};

const COUNTS: Readonly<Record<string, NumberKey>> = {
  'cluster.fault_detection.follower_check.retry_count': 'followerCheckRetries',
  'cluster.fault_detection.leader_check.retry_count': 'leaderCheckRetries',
};

export const AUTO_SHRINK = 'cluster.auto_shrink_voting_configuration';

/** Names of the settings that `readCoordinationSettings` knows, for a node's list of settings. */
export const COORDINATION_SETTING_NAMES: readonly string[] = [
  ...Object.keys(DURATIONS),
  ...Object.keys(COUNTS),
  AUTO_SHRINK,
];

/** Reads coordination settings from a node's flat settings; others are ignored. Throws `illegal_argument_exception`. */
export function readCoordinationSettings(flat: Readonly<Record<string, string>>): CoordinationSettings {
  const changed: { -readonly [K in keyof CoordinationSettings]?: CoordinationSettings[K] } = {};
  for (const [name, text] of Object.entries(flat)) {
    const duration = DURATIONS[name];
    const count = COUNTS[name];
    if (duration !== undefined) {
      const ms = parseDurationMs(text);
      if (ms === null || ms <= 0) throw illegalArgument(`failed to parse value [${text}] for setting [${name}]`);
      changed[duration] = ms;
    } else if (count !== undefined) {
      if (!/^[1-9]\d{0,4}$/.test(text)) throw illegalArgument(`failed to parse value [${text}] for setting [${name}]`);
      changed[count] = Number(text);
    } else if (name === AUTO_SHRINK) {
      const value = parseBoolean(text);
      if (value === null) throw illegalArgument(`failed to parse value [${text}] for setting [${name}]`);
      changed.autoShrinkVotingConfiguration = value;
    }
  }
  return { ...DEFAULT_COORDINATION_SETTINGS, ...changed };
}
