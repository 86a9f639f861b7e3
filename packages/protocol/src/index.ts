export { type AliasChange, UPDATE_ALIASES, type UpdateAliasesMessage } from './admin/alias-action.ts';
export { ANALYZE, type AnalysisComponent, type AnalyzeRequest, type AnalyzeResponse } from './admin/analyze.ts';
export {
  CREATE_DATA_STREAM,
  type CreateDataStreamMessage,
  DELETE_DATA_STREAMS,
  type DeleteDataStreamsMessage,
  MIGRATE_TO_DATA_STREAM,
  MODIFY_DATA_STREAMS,
  type ModifyDataStreamsMessage,
  ROLLOVER,
  ROLLOVER_ON_WRITE,
  type RolloverMessage,
  type RolloverOnWriteMessage,
  SET_DATA_STREAM_LIFECYCLE,
  SET_DATA_STREAM_OPTIONS,
  type SetDataStreamLifecycleMessage,
  type SetDataStreamOptionsMessage,
  type StreamIndexChange,
} from './admin/data-stream-actions.ts';
export { DELETE_ENRICH_POLICY, PUT_ENRICH_POLICY } from './admin/enrich-actions.ts';
export { EXPLAIN_HEALTH, type ExplainHealthMessage } from './admin/health-actions.ts';
export {
  DELETE_INGEST_PIPELINES,
  type DeleteIngestPipelinesMessage,
  PUT_INGEST_PIPELINE,
  type PutIngestPipelineMessage,
} from './admin/ingest-pipeline-actions.ts';
export {
  DELETE_LIFECYCLE_POLICY,
  type DeleteLifecyclePolicyMessage,
  PUT_LIFECYCLE_POLICY,
  type PutLifecyclePolicyMessage,
  SET_LIFECYCLE_MODE,
  type SetLifecycleModeMessage,
} from './admin/lifecycle-actions.ts';
export {
  CREATE_INDEX,
  type CreateIndexAnswer,
  type CreateIndexMessage,
  DELETE_INDICES,
  EXPLAIN_ALLOCATION,
  type ExplainAllocationMessage,
  type ExplainedShard,
  type IndicesMessage,
  PUT_MAPPING,
  type PutMappingMessage,
  type ResizeKind,
  type ResizeSourceMessage,
  SET_INDEX_STATE,
  type SetIndexStateMessage,
  UPDATE_CLUSTER_SETTINGS,
  UPDATE_INDEX_SETTINGS,
  type UpdateClusterSettingsAnswer,
  type UpdateClusterSettingsMessage,
  type UpdateIndexSettingsMessage,
} from './admin/manager-actions.ts';
export type { AcknowledgedMessage, TimeoutsMessage } from './admin/manager-codec.ts';
export {
  PENDING_TASK_PRIORITIES,
  PENDING_TASKS,
  PENDING_TASKS_MAX,
  type PendingTask,
  type PendingTaskPriority,
  type PendingTasksMessage,
} from './admin/pending-tasks.ts';
export {
  LIST_REFUSED_PEERS,
  PEER_FAILURES,
  type PeerFailure,
  REFUSED_PEERS_MAX,
  type RefusedPeer,
} from './admin/refused-peers.ts';
export {
  CHECK_REPOSITORY,
  type CheckRepositoryMessage,
  CLEANUP_REPOSITORY,
  type CleanupResult,
  DELETE_REPOSITORIES,
  PUT_REPOSITORY,
  type PutRepositoryMessage,
  VERIFY_REPOSITORY,
  type VerifiedNodes,
} from './admin/repository-actions.ts';
export {
  REROUTE,
  type RerouteAnswer,
  type RerouteCommand,
  type RerouteMessage,
} from './admin/reroute-action.ts';
export {
  ADD_VOTING_EXCLUSIONS,
  type AddVotingExclusionsMessage,
  CLEAR_VOTING_EXCLUSIONS,
  type ClearVotingExclusionsMessage,
  CONFIRM_PRIMARY,
  HAND_OVER_PRIMARY,
  type HandOverPrimaryMessage,
  SHARD_FAILED,
  SHARD_STARTED,
  type ShardFailedMessage,
  type ShardStartedMessage,
} from './admin/shard-state-actions.ts';
export { DELETE_SNAPSHOT_POLICY, PUT_SNAPSHOT_POLICY, SET_SNAPSHOT_POLICY_MODE } from './admin/slm-actions.ts';
export { RECORD_POLICY_SNAPSHOT, RECORD_RETENTION, type RetainedPolicy } from './admin/slm-records.ts';
export {
  CLONE_SNAPSHOT,
  type CloneSnapshotMessage,
  CREATE_SNAPSHOT,
  type CreateSnapshotMessage,
  DELETE_SNAPSHOTS,
  GET_SNAPSHOTS,
  type GetSnapshotsMessage,
  type NamedSnapshotsMessage,
  RESTORE_SNAPSHOT,
  type RestoreAnswer,
  type RestoreSnapshotMessage,
  SNAPSHOT_SHARD,
  SNAPSHOT_STATUS,
  type SnapshotShardMessage,
  type SnapshotStatusMessage,
} from './admin/snapshot-actions.ts';
export {
  readSnapshotInfo,
  SNAPSHOT_STATES,
  type SnapshotInfo,
  type SnapshotShardFailure,
  type SnapshotState,
  writeSnapshotInfo,
} from './admin/snapshot-info.ts';
export {
  NO_FILES,
  type ShardFileStats,
  type ShardSnapshotStatus,
  type SnapshotStatus,
} from './admin/snapshot-status.ts';
export {
  DELETE_STORED_SCRIPTS,
  type DeleteStoredScriptsMessage,
  PUT_STORED_SCRIPT,
  type PutStoredScriptMessage,
} from './admin/stored-script-actions.ts';
export {
  DELETE_SYNONYM_RULE,
  DELETE_SYNONYM_SET,
  type DeleteSynonymRuleMessage,
  type DeleteSynonymSetMessage,
  PUT_SYNONYM_RULE,
  PUT_SYNONYM_SET,
  type PutSynonymRuleMessage,
  type PutSynonymSetMessage,
} from './admin/synonym-set-actions.ts';
export {
  DELETE_TEMPLATES,
  type DeleteTemplatesMessage,
  PUT_TEMPLATE,
  type PutTemplateAnswer,
  type PutTemplateMessage,
} from './admin/template-actions.ts';
export {
  CLIENT_EXECUTE,
  CLIENT_NODES,
  type ClientNodesRequest,
  type ClientNodesResponse,
  type ClientResponse,
} from './client/client-execute.ts';
export { type ClientOperation, type ClientRequest, type HealthStatus, isRead } from './client/client-request.ts';
export { type RestForm, restForm } from './client/rest-form.ts';
export {
  COMMIT_STATE,
  type CommitMessage,
  FOLLOWER_CHECK,
  JOIN,
  type JoinMessage,
  type JoinVote,
  LEADER_CHECK,
  type PeersAnswer,
  type PeersMessage,
  PRE_VOTE,
  type PreVoteAnswer,
  PUBLISH_STATE,
  type PublishAnswer,
  REQUEST_PEERS,
  START_JOIN,
  type StateMessage,
  VALIDATE_JOIN,
} from './coordination/coordination-actions.ts';
export {
  LIST_SHARD_STORES,
  type ListShardStoresRequest,
  type ListShardStoresResponse,
  SHARD_STORES_MAX,
} from './coordination/list-shard-stores.ts';
export { COPY_MESSAGE, type CopyMessage, type CopyMessageAnswer } from './copies/copy-message.ts';
export {
  type CopyCall,
  readCopyCall,
  readCopyResponse,
  writeCopyCall,
  writeCopyResponse,
} from './copies/copy-requests.ts';
export {
  BULK_RESULTS,
  BULK_SHARD,
  type BulkShardRequest,
  type BulkShardResponse,
  type RefreshPolicy,
} from './documents/bulk-shard.ts';
export { COPY_DOCUMENTS, type CopyShardDocumentsRequest } from './documents/copy-documents.ts';
export { GET_DOCUMENTS, type GetDocumentsRequest, type GetDocumentsResponse } from './documents/get-documents.ts';
export { readShardTarget, type ShardTarget, writeShardTarget } from './documents/shard-target.ts';
export { type ShardTermVectorsRequest, type ShardTermVectorsResponse, TERM_VECTORS } from './documents/term-vectors.ts';
export { ENRICH_STATS } from './nodes/enrich-stats.ts';
export {
  HOT_THREADS,
  HOT_THREADS_INTERVAL_MS_MAX,
  HOT_THREADS_SNAPSHOTS_MAX,
  type HotThread,
  type HotThreadsRequest,
} from './nodes/hot-threads.ts';
export {
  NODE_INFO,
  NODE_STATS,
  NODE_USAGE,
  type NodeInfoRequest,
  type NodeInfoResponse,
  type NodeStatsRequest,
  type NodeStatsResponse,
} from './nodes/node-info.ts';
export {
  FIELDDATA_FIELDS_MAX,
  FIELDDATA_OF,
  type MaintenanceKind,
  type MaintenanceWork,
  SEARCH_GROUP_OF,
  SHARD_MAINTENANCE,
  SHARD_STATS,
  type ShardMaintenanceRequest,
  type ShardMaintenanceResponse,
  type ShardStatsEntry,
  type ShardStatsMap,
  type ShardStatsRequest,
  type ShardStatsResponse,
  SYNC_ID_OF,
} from './nodes/shard-maintenance.ts';
export {
  type RecoverySource,
  SHARD_RECOVERIES,
  type ShardRecoveriesRequest,
  type ShardRecoveriesResponse,
  type ShardRecoveryEntry,
} from './nodes/shard-recoveries.ts';
export {
  SHARD_SEGMENTS,
  type ShardSegmentsEntry,
  type ShardSegmentsRequest,
  type ShardSegmentsResponse,
} from './nodes/shard-segments.ts';
export {
  CANCEL_TASKS,
  type CancelTasksRequest,
  LIST_TASKS,
  type ListTasksRequest,
  RETHROTTLE_TASK,
  TASKS_MAX,
  type TaskFilter,
  type TaskInfo,
  type TasksResponse,
  type TaskType,
} from './nodes/tasks.ts';
export {
  ASYNC_SEARCH,
  ASYNC_WAIT_MS_MAX,
  type AsyncSearchRequest,
  type AsyncSearchResponse,
  type AsyncSearchWork,
  FORGET_ASYNC_SEARCHES,
} from './search/async-search.ts';
export {
  FETCH_PHASE,
  type FetchPhaseRequest,
  type FetchPhaseResponse,
  FREE_CONTEXT,
  FREE_CONTEXTS,
  FREED_CONTEXTS_MAX,
  type FreeContextRequest,
  type FreeContextResponse,
  type PackedFetch,
} from './search/fetch-phase.ts';
export {
  joinShardAnswers,
  NODE_QUERY,
  NODE_QUERY_SHARDS_MAX,
  type NodeQueryRequest,
  type NodeShardAnswer,
  type NodeShardQuery,
} from './search/node-query.ts';
export {
  type PackedShardQuery,
  QUERY_PHASE,
  type QueryPhaseRequest,
  type QueryPhaseResponse,
} from './search/query-phase.ts';
export {
  RANK_QUERY,
  RANK_ROUND,
  type RankQueryRequest,
  type RankQueryResponse,
  type RankRoundMessage,
} from './search/rank-phase.ts';
export {
  type ContextKind,
  FREE_ALL_CONTEXTS,
  OPEN_READER,
  type OpenReaderRequest,
  type OpenReaderResponse,
  SCROLL_PHASE,
  type ScrollPhaseRequest,
  type ScrollPhaseResponse,
} from './search/reader-contexts.ts';
export { SearchCodec } from './search/search-codec.ts';
export {
  SHARD_BATCH_MAX,
  SHARD_BATCH_SECTIONS_MAX,
  type ShardBatchAnswer,
  shardBatch,
} from './search/shard-batch.ts';
export { SUGGEST_PHASE, type SuggestPhaseRequest, type SuggestPhaseResponse } from './search/suggest-phase.ts';
export {
  STATISTICS_PHASE,
  type StatisticsPhaseRequest,
  type StatisticsPhaseResponse,
} from './search/term-statistics-phase.ts';
export {
  ENUM_TERMS_MAX,
  ENUM_TIMEOUT_MS_MAX,
  TERMS_ENUM,
  type TermsEnumMessage,
} from './search/terms-enum.ts';
