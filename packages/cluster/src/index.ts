export { clusterSettings } from './allocation/allocation-filter.ts';
export { REPLICAS_NOT_BUILT } from './allocation/deciders.ts';
export { type CoordinationSettings, DEFAULT_COORDINATION_SETTINGS } from './coordination/coordination-settings.ts';
export { checkAliasName, checkIndexName } from './metadata/resource-name.ts';
export { checkBlock, findBlock, type NoManagerMode } from './reading/cluster-blocks.ts';
export {
  type ClusterHealth,
  clusterHealth,
  type HealthCounts,
  type HealthStatus,
  type IndexHealth,
  type ShardHealth,
} from './reading/cluster-health.ts';
export { shardIdForHash, shardIdForRouting } from './reading/shard-routing.ts';
export type {
  Acknowledged,
  ClusterAdmin,
  CreateIndexRequest,
  CreateIndexResponse,
  ExplainAllocationRequest,
  ManagerTimeouts,
} from './service/cluster-admin.ts';
export {
  type ClusterOptions,
  COORDINATION_SETTING_NAMES,
  readCoordinationSettings,
} from './service/cluster-options.ts';
export type { ClusterService, CoordinationDiagnosis, StateChange } from './service/cluster-service.ts';
export type { BackendEvents, CoordinationBackend } from './service/coordination-backend.ts';
export { startCluster } from './service/start-cluster.ts';
