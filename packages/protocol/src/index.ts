export {
  ANALYZE,
  type AnalysisComponent,
  type AnalyzeDetail,
  type AnalyzedStep,
  type AnalyzedToken,
  type AnalyzeRequest,
  type AnalyzeResponse,
} from './admin/analyze.ts';
export {
  BULK_SHARD,
  type BulkShardRequest,
  type BulkShardResponse,
  type RefreshPolicy,
} from './documents/bulk-shard.ts';
export { GET_DOCUMENTS, type GetDocumentsRequest, type GetDocumentsResponse } from './documents/get-documents.ts';
export { readShardTarget, type ShardTarget, writeShardTarget } from './documents/shard-target.ts';
export { type PlainObject, readPlainObject } from './json/plain-json.ts';
export {
  NODE_INFO,
  NODE_STATS,
  type NodeInfoRequest,
  type NodeInfoResponse,
  type NodeStatsRequest,
  type NodeStatsResponse,
} from './nodes/node-info.ts';
export {
  type MaintenanceKind,
  SHARD_MAINTENANCE,
  SHARD_STATS,
  type ShardMaintenanceRequest,
  type ShardMaintenanceResponse,
  type ShardStatsEntry,
  type ShardStatsMap,
  type ShardStatsRequest,
  type ShardStatsResponse,
} from './nodes/shard-maintenance.ts';
export {
  FETCH_PHASE,
  type FetchPhaseRequest,
  type FetchPhaseResponse,
  FREE_CONTEXT,
  type FreeContextRequest,
  type FreeContextResponse,
} from './search/fetch-phase.ts';
export { QUERY_PHASE, type QueryPhaseRequest, type QueryPhaseResponse } from './search/query-phase.ts';
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
export { readClusterState, writeClusterState } from './state/cluster-state-codec.ts';
export {
  applyStateDiff,
  baseOfDiff,
  writeStateDiff,
} from './state/cluster-state-diff.ts';
export { discoveryNodeOf, NODE_ROLES, readDiscoveryNode, writeDiscoveryNode } from './state/discovery-node-codec.ts';
export { GRAVEYARD_MAX } from './state/metadata-codec.ts';
export type { IndexRouting } from './state/routing-codec.ts';
export { compareCodeUnits, sortedMap, withEntries } from './state/sorted-map.ts';
export { packState, STATE_BYTES_MAX, unpackState } from './state/state-bytes.ts';
