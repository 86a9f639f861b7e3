/**
 * Settings of discovery, elections, publication and fault detection: declared here with their bounds, read by the cluster
 * package, which gives them their meaning.
 */
import { booleanSetting, integerSetting, type SettingDefinition, timeSetting } from '@shoal/core';

const positive = { min: 1 };
/** Shortest interval of checks: more often would be load without use. */
const checkInterval = { min: 100 };

export const COORDINATION_SETTINGS: readonly SettingDefinition<unknown>[] = [
  timeSetting('discovery.find_peers_interval', '1s', positive),
  timeSetting('discovery.request_peers_timeout', '3s', positive),
  timeSetting('discovery.cluster_formation_warning_timeout', '10s', positive),
  timeSetting('discovery.unconfigured_bootstrap_timeout', '3s', positive),
  timeSetting('cluster.election.initial_timeout', '100ms', { min: 1, max: 10_000 }),
  timeSetting('cluster.election.back_off_time', '100ms', { min: 1, max: 60_000 }),
  timeSetting('cluster.election.max_timeout', '10s', { min: 200, max: 300_000 }),
  timeSetting('cluster.election.duration', '500ms', { min: 1, max: 300_000 }),
  timeSetting('cluster.join.timeout', '60s', positive),
  timeSetting('cluster.publish.timeout', '30s', positive),
  timeSetting('cluster.follower_lag.timeout', '90s', positive),
  timeSetting('cluster.fault_detection.follower_check.interval', '1s', checkInterval),
  timeSetting('cluster.fault_detection.follower_check.timeout', '10s', positive),
  integerSetting('cluster.fault_detection.follower_check.retry_count', 3, positive),
  timeSetting('cluster.fault_detection.leader_check.interval', '1s', checkInterval),
  timeSetting('cluster.fault_detection.leader_check.timeout', '10s', positive),
  integerSetting('cluster.fault_detection.leader_check.retry_count', 3, positive),
  booleanSetting('cluster.auto_shrink_voting_configuration', true, { isDynamic: true }),
];
