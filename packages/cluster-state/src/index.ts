export { packStateInSteps, STATE_BYTES_MAX, unpackState } from './bytes/state-bytes.ts';
export { unpackStateInSteps } from './bytes/unpack-state.ts';
export { type PlainObject, readPlainObject } from './json/plain-json.ts';
export type { AliasMetadata } from './metadata/alias-metadata.ts';
export {
  DATA_STREAMS_MAX,
  type DataStream,
  type DataStreamLifecycle,
  type FailureStoreOptions,
  readDataStreamLifecycle,
  readDataStreams,
  readFailureStoreOptions,
  STREAM_COMPONENTS,
  type StreamComponent,
  writeDataStreams,
} from './metadata/data-stream.ts';
export type { EnrichPolicies, EnrichPolicy, EnrichPolicyType } from './metadata/enrich-policies.ts';
export {
  ENRICH_NAMES_MAX,
  ENRICH_POLICIES_MAX,
  ENRICH_POLICY_CHARS_MAX,
  ENRICH_POLICY_TYPES,
  NO_ENRICH_POLICIES,
  readEnrichPolicies,
  readEnrichPolicyFields,
  writeEnrichPolicies,
} from './metadata/enrich-policies.ts';
export {
  INGEST_PIPELINE_CHARS_MAX,
  INGEST_PIPELINES_MAX,
  type IngestPipeline,
  NO_INGEST_PIPELINES,
  readIngestPipelines,
  writeIngestPipelines,
} from './metadata/ingest-pipelines.ts';
export {
  LIFECYCLE_POLICIES_MAX,
  LIFECYCLE_POLICY_CHARS_MAX,
  type LifecycleMetadata,
  type LifecyclePolicy,
  NO_LIFECYCLE,
  readLifecycle,
  writeLifecycle,
} from './metadata/lifecycle.ts';
export { REPOSITORIES_MAX, REPOSITORY_SETTINGS_MAX, type RepositoryMetadata } from './metadata/repository-metadata.ts';
export { isRepositoryId, type RestoreSource } from './metadata/restore-source.ts';
export { RUNNING_SNAPSHOTS_MAX, type RunningSnapshot } from './metadata/running-snapshot.ts';
export {
  NO_SNAPSHOT_POLICIES,
  type PolicySnapshot,
  readPolicySnapshot,
  SNAPSHOT_POLICY_LIMITS,
  type SnapshotPolicy,
} from './metadata/snapshot-policies.ts';
export { compareCodeUnits, sortedMap, withEntries } from './metadata/sorted-map.ts';
export {
  NO_STORED_SCRIPTS,
  readStoredScriptFields,
  STORED_SCRIPT_CHARS_MAX,
  STORED_SCRIPTS_MAX,
  type StoredScript,
} from './metadata/stored-scripts.ts';
export {
  NO_SYNONYM_SETS,
  readSynonymRule,
  readSynonymSetFields,
  SYNONYM_CHARS_MAX,
  SYNONYM_RULES_MAX,
  SYNONYM_SETS_MAX,
  type SynonymRule,
  type SynonymSet,
  type SynonymSets,
} from './metadata/synonym-sets.ts';
export {
  type ComponentTemplate,
  type DataStreamTemplate,
  type IndexTemplate,
  type LegacyTemplate,
  NO_TEMPLATES,
  TEMPLATE_KINDS,
  TEMPLATE_PARTS_MAX,
  TEMPLATES_MAX,
  type TemplateContent,
  type TemplateKind,
  type Templates,
} from './metadata/templates.ts';
export type {
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
export { readClusterState, readClusterStateInSteps, writeClusterState } from './state/cluster-state-codec.ts';
export { applyStateDiffInSteps, baseOfDiff, writeStateDiff } from './state/cluster-state-diff.ts';
export { discoveryNodeOf, NODE_ROLES, readDiscoveryNode, writeDiscoveryNode } from './state/discovery-node-codec.ts';
export { readIndexMetadata, writeIndexMetadata } from './state/index-metadata-codec.ts';
export { GRAVEYARD_MAX, readSettings } from './state/metadata-codec.ts';
export { isRelocationTarget, sourceOf, targetOf, withoutTargets } from './state/relocation.ts';
export type { IndexRouting } from './state/routing-codec.ts';
export { StateReplay } from './state/state-replay.ts';
export { readTemplates, writeTemplates } from './state/templates-codec.ts';
