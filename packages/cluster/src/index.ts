export { waitsOfCopies } from './allocation/allocation-delay.ts';
export { CopyIndex } from './allocation/copies/copy-index.ts';
export { explainAllocation } from './allocation/explain/explain-allocation.ts';
export { reroute } from './allocation/reroute.ts';
export type { RerouteCommand } from './allocation/reroute-command.ts';
export {
  applyRerouteCommands,
  type CommandExplanation,
  type CommandsDone,
} from './allocation/reroute-commands.ts';
export { RoutingChanges } from './allocation/routing-changes.ts';
export type { DiskUsage, DiskUsages, ShardStores, StoreLocation } from './allocation/rules/allocation-context.ts';
export { checkAllocationSettings } from './allocation/rules/check-allocation-settings.ts';
export { type DiskLevel, diskLevelOf, diskRules } from './allocation/rules/disk-rules.ts';
export {
  applyShardFailed,
  applyShardStarted,
  confirmPrimary,
  failShard,
  handOverPrimary,
  resetFailedAllocations,
  startShard,
} from './allocation/shard-transitions.ts';
export {
  createDataStream,
  deleteDataStreams,
  setDataStreamLifecycle,
  setDataStreamOptions,
} from './data-streams/data-streams.ts';
export { type FailuresLifecycle, failuresLifecycleOf, keepsFailures } from './data-streams/failure-store.ts';
export { migrateToDataStream } from './data-streams/migrate-to-data-stream.ts';
export { modifyDataStreams } from './data-streams/modify-data-streams.ts';
export {
  NO_SOURCE,
  planRollover,
  type RolloverBody,
  type RolloverPlan,
  rollover,
  rolloverOnWrite,
  rollsOverBeforeWrite,
} from './data-streams/rollover.ts';
export { parseFailureStore } from './declarations/failure-store-options.ts';
export { checkAliasName, checkIndexName } from './declarations/resource-name.ts';
export { parseStreamLifecycle } from './declarations/stream-lifecycle.ts';
export { deleteEnrichPolicy, putEnrichPolicy, requiredEnrichPolicy } from './enrich/change-enrich-policies.ts';
export { explainHealth, type HealthQuestion } from './findings/explain-health.ts';
export { findingBody } from './findings/finding-body.ts';
export { type MembershipView, membershipFindings, type Voter } from './findings/membership-findings.ts';
export { isPeerFailure } from './findings/peer-failures.ts';
export { deleteIngestPipelines, putIngestPipeline } from './ingest-pipelines/change-ingest-pipelines.ts';
export { deleteLifecyclePolicy, putLifecyclePolicy, setLifecycleMode } from './lifecycle/change-lifecycle.ts';
export { type CreateIndexBody, createIndex } from './metadata/create-index.ts';
export { deleteIndices } from './metadata/delete-index.ts';
export { updateAliases } from './metadata/index-aliases.ts';
export type { MetadataContext } from './metadata/metadata-context.ts';
export { setIndexState } from './metadata/open-close-index.ts';
export { putMapping } from './metadata/put-mapping.ts';
export { resizeIndex } from './metadata/resize-index.ts';
export { shardCapacity } from './metadata/shard-limit.ts';
export {
  addVotingExclusions,
  clearVotingExclusions,
  excludedNodesGone,
  exclusionsInForce,
} from './metadata/voting-exclusions.ts';
export { checkActionBlocks, type GuardedAction, type GuardedRequest } from './reading/action-blocks.ts';
export { isActive, isPrimaryActive } from './reading/active-copy.ts';
export {
  BLOCK_ID,
  checkBlock,
  checkIndexBlocks,
  findBlock,
  findIndexBlock,
  isRetryableBlock,
  type NoManagerMode,
  withoutManager,
} from './reading/cluster-blocks.ts';
export {
  type ClusterHealth,
  clusterHealth,
  type HealthCounts,
  type HealthStatus,
  type IndexHealth,
  type ShardHealth,
} from './reading/cluster-health.ts';
export { type ClusterSettings, clusterSettings, keepAliveMsMax, SettingsInForce } from './reading/cluster-settings.ts';
export { dataNodes } from './reading/data-nodes.ts';
export {
  componentOf,
  dataStreamOf,
  everyIndexOf,
  indicesOfComponent,
  isWriteIndexOf,
  writeIndexOf,
} from './reading/data-stream-indices.ts';
export { parseRole, roleLetters, shownRoles } from './reading/node-roles.ts';
export { type ResizeSource, resizeSourceOf, sourceShards } from './reading/resize-source.ts';
export { shardGroup } from './reading/shard-group.ts';
export { shardIdForRouting } from './reading/shard-routing.ts';
export { refusedAutoCreation } from './settings/auto-create-index.ts';
export {
  checkClusterSetting,
  clusterSettingDefaults,
  clusterSettingsOfNodes,
} from './settings/cluster-setting-registry.ts';
export { diskLevels, hasFloodStageBlock, withFloodStageBlocks } from './settings/flood-stage-blocks.ts';
export { acceptedSettings, updateClusterSettings } from './settings/update-cluster-settings.ts';
export { updateIndexSettings } from './settings/update-index-settings.ts';
export {
  deleteSnapshotPolicy,
  putSnapshotPolicy,
  recordPolicySnapshot,
  recordRetention,
  setSnapshotPolicyMode,
} from './snapshots/change-snapshot-policies.ts';
export { deleteRepositories, putRepository, requireRepository } from './snapshots/repositories.ts';
export { type RestoredIndex, restoreSnapshot, type SnapshotRestore } from './snapshots/restore-snapshot.ts';
export { type MetadataReturn, type ReopenedIndex, returnToMetadata } from './snapshots/return-to-metadata.ts';
export { abortSnapshots, beginSnapshot, checkSnapshotName, endSnapshot } from './snapshots/running-snapshots.ts';
export {
  concurrentSnapshots,
  invalidSnapshotName,
  repositoryException,
  repositoryMissing,
  snapshotMissing,
  snapshotRestoreException,
} from './snapshots/snapshot-errors.ts';
export { withStackTemplates } from './stack-templates/with-stack-templates.ts';
export { deleteStoredScripts, putStoredScript } from './stored-scripts/change-stored-scripts.ts';
export {
  deleteSynonymRule,
  deleteSynonymSet,
  indicesWithSet,
  putSynonymRule,
  putSynonymSet,
  requiredRule,
  requiredSet,
} from './synonym-sets/change-synonym-sets.ts';
export { doOverlap } from './templates/name-patterns.ts';
export {
  changedTemplates,
  deleteTemplates,
  putTemplate,
  type TemplateChange,
} from './templates/put-template.ts';
export {
  findIndexTemplate,
  layersFor,
  layersOfIndexTemplate,
  type TemplateLayers,
} from './templates/template-layers.ts';
export { templateWarnings } from './templates/template-warnings.ts';
export { clusterValueModel, emptyClusterState, headerOf } from './value/cluster-value-model.ts';
