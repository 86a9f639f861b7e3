export { checkBlock, findBlock } from './reading/cluster-blocks.ts';
export { shardIdForRouting } from './reading/shard-routing.ts';
export type {
  Acknowledged,
  AliasAction,
  ClusterAdmin,
  CreateIndexRequest,
  CreateIndexResponse,
  ExplainAllocationRequest,
  ManagerTimeouts,
} from './service/cluster-admin.ts';
export type { ClusterService, CoordinationDiagnosis, StateChange } from './service/cluster-service.ts';
