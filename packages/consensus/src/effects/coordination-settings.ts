/**
 * Times, retries and switches of coordination, with Elasticsearch's defaults. Declared as user settings by the shell,
 * under the names in the comments; some can change at run time (event `settings`).
 */
export interface CoordinationSettings {
  /** `discovery.find_peers_interval` */
  readonly findPeersIntervalMs: number;
  /** `discovery.request_peers_timeout` */
  readonly requestPeersTimeoutMs: number;
  /** `discovery.cluster_formation_warning_timeout` */
  readonly formationWarningIntervalMs: number;
  /** `discovery.unconfigured_bootstrap_timeout` */
  readonly bestEffortBootstrapMs: number;
  /** `cluster.election.initial_timeout` */
  readonly electionInitialMs: number;
  /** `cluster.election.back_off_time` */
  readonly electionBackOffMs: number;
  /** `cluster.election.max_timeout` */
  readonly electionMaxMs: number;
  /** `cluster.election.duration` */
  readonly electionDurationMs: number;
  /** `cluster.join.timeout` */
  readonly joinTimeoutMs: number;
  /** `cluster.publish.timeout` */
  readonly publishTimeoutMs: number;
  /** `cluster.follower_lag.timeout` */
  readonly followerLagTimeoutMs: number;
  /** `cluster.fault_detection.follower_check.{interval,timeout,retry_count}` */
  readonly followerCheckIntervalMs: number;
  readonly followerCheckTimeoutMs: number;
  readonly followerCheckRetries: number;
  /** `cluster.fault_detection.leader_check.{interval,timeout,retry_count}` */
  readonly leaderCheckIntervalMs: number;
  readonly leaderCheckTimeoutMs: number;
  readonly leaderCheckRetries: number;
  /** `cluster.auto_shrink_voting_configuration` */
  readonly autoShrinkVotingConfiguration: boolean;
}

export const DEFAULT_COORDINATION_SETTINGS: CoordinationSettings = {
  findPeersIntervalMs: 1_000,
  requestPeersTimeoutMs: 3_000,
  formationWarningIntervalMs: 10_000,
  bestEffortBootstrapMs: 3_000,
  electionInitialMs: 100,
  electionBackOffMs: 100,
  electionMaxMs: 10_000,
  electionDurationMs: 500,
  joinTimeoutMs: 60_000,
  publishTimeoutMs: 30_000,
  followerLagTimeoutMs: 90_000,
  followerCheckIntervalMs: 1_000,
  followerCheckTimeoutMs: 10_000,
  followerCheckRetries: 3,
  leaderCheckIntervalMs: 1_000,
  leaderCheckTimeoutMs: 10_000,
  leaderCheckRetries: 3,
  autoShrinkVotingConfiguration: true,
};
