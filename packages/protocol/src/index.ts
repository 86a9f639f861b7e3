export {
  ANALYZE,
  type AnalysisComponent,
  type AnalyzeDetail,
  type AnalyzedStep,
  type AnalyzedToken,
  type AnalyzeRequest,
  type AnalyzeResponse,
} from './admin/analyze.ts';
export type { BulkShardRequest, BulkShardResponse, RefreshPolicy } from './documents/bulk-shard.ts';
export type { GetDocumentsRequest, GetDocumentsResponse } from './documents/get-documents.ts';
export type { ShardTarget } from './documents/shard-target.ts';
export type { NodeInfoResponse, NodeStatsResponse } from './nodes/node-info.ts';
export type {
  MaintenanceKind,
  ShardMaintenanceRequest,
  ShardMaintenanceResponse,
  ShardStatsMap,
  ShardStatsResponse,
} from './nodes/shard-maintenance.ts';
export type { FetchPhaseRequest, FetchPhaseResponse, FreeContextRequest } from './search/fetch-phase.ts';
export type { QueryPhaseRequest, QueryPhaseResponse } from './search/query-phase.ts';
export type {
  AliasMetadata,
  BlockLevel,
  ClusterBlock,
  ClusterBlocks,
  ClusterState,
  CoordinationMetadata,
  DiscoveryNode,
  IndexMetadata,
  Metadata,
  NodeRole,
  RoutingTable,
  ShardRouting,
  ShardState,
  UnassignedInfo,
} from './state/cluster-state.ts';
