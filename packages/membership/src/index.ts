export { type MendedTerms, type NodeTerms, type ResetTermOptions, resetTerm } from './disk/reset-term.ts';
export type {
  Acknowledged,
  ClusterAdmin,
  CreateIndexRequest,
  CreateIndexResponse,
  ManagerTimeouts,
} from './service/cluster-admin.ts';
export type {
  ClusterService,
  CoordinationDiagnosis,
  ManagerChange,
  ManagingClusterService,
  StateChange,
} from './service/cluster-service.ts';
export type { BackendEvents, CoordinationBackend } from './service/coordination-backend.ts';
export { type ClusterOptions, COORDINATION_SETTING_NAMES, readCoordinationSettings } from './start/cluster-options.ts';
export { startCluster } from './start/start-cluster.ts';
