/**
 * The registry of APIs: everything that the HTTP port of a node answers, one line an API.
 */
import { ANALYTICS_APIS } from './analytics/analytics-collections.ts';
import type { RestApi } from './api/rest-api.ts';
import { bulkApi } from './bulk/bulk.ts';
import { deleteByQueryApi } from './by-query/delete-by-query.ts';
import { reindexApi } from './by-query/reindex.ts';
import { rethrottleApi } from './by-query/rethrottle.ts';
import { updateByQueryApi } from './by-query/update-by-query.ts';
import { catHelpApi } from './cat/cat-help.ts';
import { CAT_TABLES } from './cat-tables.ts';
import { addVotingExclusionsApi } from './cluster/add-voting-exclusions.ts';
import { clearVotingExclusionsApi } from './cluster/clear-voting-exclusions.ts';
import { clusterHealthApi } from './cluster/cluster-health.ts';
import { clusterStateApi } from './cluster/cluster-state.ts';
import { clusterStatsApi } from './cluster/cluster-stats.ts';
import { explainAllocationApi } from './cluster/explain-allocation.ts';
import { getClusterSettingsApi } from './cluster/get-settings.ts';
import { pendingTasksApi } from './cluster/pending-tasks.ts';
import { putClusterSettingsApi } from './cluster/put-settings.ts';
import { remoteInfoApi } from './cluster/remote-info.ts';
import { rerouteApi } from './cluster/reroute.ts';
import { CONNECTOR_APIS } from './connectors/connector-apis.ts';
import { DATA_STREAM_APIS } from './data-stream-apis.ts';
import { createDocumentApi } from './documents/create-document.ts';
import { deleteDocumentApi } from './documents/delete-document.ts';
import { getDocumentApi } from './documents/get-document.ts';
import { getSourceApi } from './documents/get-source.ts';
import { indexDocumentApi } from './documents/index-document.ts';
import { indexDocumentWithoutIdApi } from './documents/index-document-without-id.ts';
import { multiGetApi } from './documents/multi-get.ts';
import { multiTermVectorsApi } from './documents/multi-term-vectors.ts';
import { termVectorsApi } from './documents/term-vectors.ts';
import { updateDocumentApi } from './documents/update-document.ts';
import { deleteEnrichPolicyApi, getEnrichPoliciesApi, putEnrichPolicyApi } from './enrich/enrich-policies.ts';
import { enrichStatsApi } from './enrich/enrich-stats.ts';
import { executeEnrichPolicyApi } from './enrich/execute-enrich-policy.ts';
import { deprecationsApi } from './features/deprecations.ts';
import { featuresApi, resetFeaturesApi } from './features/features.ts';
import { migrateSystemFeaturesApi, systemFeaturesApi } from './features/system-features.ts';
import { healthReportApi } from './health/health-report.ts';
import { whyApi } from './health/why.ts';
import { aliasExistsApi } from './indices/aliases/alias-exists.ts';
import { deleteAliasApi } from './indices/aliases/delete-alias.ts';
import { getAliasesApi } from './indices/aliases/get-aliases.ts';
import { putAliasApi, putAliasByBodyApi } from './indices/aliases/put-alias.ts';
import { updateAliasesApi } from './indices/aliases/update-aliases.ts';
import { analyzeApi } from './indices/analyze.ts';
import { clearCacheApi } from './indices/clear-cache.ts';
import { closeIndexApi } from './indices/close-index.ts';
import { createFromApi } from './indices/create-from.ts';
import { createIndexApi } from './indices/create-index.ts';
import { deleteIndexApi } from './indices/delete-index.ts';
import { diskUsageApi } from './indices/disk-usage.ts';
import { flushApi } from './indices/flush.ts';
import { forceMergeApi } from './indices/force-merge.ts';
import { getIndexApi } from './indices/get-index.ts';
import { indexExistsApi } from './indices/index-exists.ts';
import { indexStatsApi } from './indices/index-stats.ts';
import { getFieldMappingApi } from './indices/mappings/get-field-mapping.ts';
import { getMappingApi } from './indices/mappings/get-mapping.ts';
import { putMappingApi } from './indices/mappings/put-mapping.ts';
import { resolveClusterApi } from './indices/names/resolve-cluster.ts';
import { resolveIndexApi } from './indices/names/resolve-index.ts';
import { openIndexApi } from './indices/open-index.ts';
import { recoveryApi } from './indices/recovery.ts';
import { refreshApi } from './indices/refresh.ts';
import { reloadSearchAnalyzersApi } from './indices/reload-search-analyzers.ts';
import { cloneIndexApi, shrinkIndexApi, splitIndexApi } from './indices/resize.ts';
import { rolloverApi } from './indices/rollover/rollover.ts';
import { segmentsApi } from './indices/segments.ts';
import { getIndexSettingsApi } from './indices/settings/get-settings.ts';
import { addBlockApi, removeBlockApi } from './indices/settings/index-blocks.ts';
import { putIndexSettingsApi } from './indices/settings/put-settings.ts';
import { shardStoresApi } from './indices/shard-stores.ts';
import { syncedFlushApi } from './indices/synced-flush.ts';
import {
  deleteComponentTemplateApi,
  deleteIndexTemplateApi,
  deleteLegacyTemplateApi,
} from './indices/templates/delete-templates.ts';
import {
  componentTemplateExistsApi,
  getComponentTemplateApi,
  getIndexTemplateApi,
  getLegacyTemplateApi,
  indexTemplateExistsApi,
  legacyTemplateExistsApi,
} from './indices/templates/get-templates.ts';
import {
  putComponentTemplateApi,
  putIndexTemplateApi,
  putLegacyTemplateApi,
} from './indices/templates/put-templates.ts';
import { simulateIndexApi, simulateTemplateApi } from './indices/templates/simulate-templates.ts';
import { deleteLicenseApi, putLicenseApi, startBasicApi, startTrialApi } from './info/change-license.ts';
import { basicStatusApi, licenseApi, trialStatusApi } from './info/license.ts';
import { mainApi } from './info/main.ts';
import { xpackInfoApi, xpackUsageApi } from './info/xpack.ts';
import { deletePipelineApi } from './ingest/delete-pipeline.ts';
import { getPipelinesApi } from './ingest/get-pipelines.ts';
import { grokPatternsApi } from './ingest/grok-patterns.ts';
import { putPipelineApi } from './ingest/put-pipeline.ts';
import { simulateIngestApi } from './ingest/simulate-ingest.ts';
import { simulatePipelineApi } from './ingest/simulate-pipeline.ts';
import { explainLifecycleApi, removeLifecycleApi, retryLifecycleApi } from './lifecycle/index-lifecycle.ts';
import { lifecycleStatusApi, startLifecycleApi, stopLifecycleApi } from './lifecycle/lifecycle-mode.ts';
import {
  deleteLifecyclePolicyApi,
  getLifecyclePolicyApi,
  putLifecyclePolicyApi,
} from './lifecycle/lifecycle-policies.ts';
import {
  deleteLogstashPipelineApi,
  getLogstashPipelinesApi,
  putLogstashPipelineApi,
} from './logstash/logstash-pipelines.ts';
import { clusterInfoApi } from './nodes/cluster-info.ts';
import { hotThreadsApi } from './nodes/hot-threads.ts';
import { nodesInfoApi } from './nodes/nodes-info.ts';
import { nodesStatsApi } from './nodes/nodes-stats.ts';
import { nodesUsageApi } from './nodes/nodes-usage.ts';
import { reloadSecureSettingsApi } from './nodes/reload-secure-settings.ts';
import { clearRepositoriesMeteringApi, repositoriesMeteringApi } from './nodes/repositories-metering.ts';
import { deleteQueryRuleApi, getQueryRuleApi, putQueryRuleApi } from './query-rules/query-rules.ts';
import {
  deleteQueryRulesetApi,
  getQueryRulesetApi,
  listQueryRulesetsApi,
  putQueryRulesetApi,
  testQueryRulesetApi,
} from './query-rules/query-rulesets.ts';
import { deleteScriptApi } from './scripts/delete-script.ts';
import { executePainlessApi } from './scripts/execute-painless.ts';
import { getScriptApi } from './scripts/get-script.ts';
import { putScriptApi } from './scripts/put-script.ts';
import { scriptContextsApi, scriptLanguagesApi } from './scripts/script-languages.ts';
import { asyncSearchStatusApi, deleteAsyncSearchApi, getAsyncSearchApi } from './search/async/kept-async-search.ts';
import { submitAsyncSearchApi } from './search/async/submit-async-search.ts';
import { clearScrollApi } from './search/clear-scroll.ts';
import { closePointInTimeApi } from './search/close-point-in-time.ts';
import { countApi } from './search/count.ts';
import { deletePointsInTimeApi } from './search/delete-points-in-time.ts';
import { explainApi } from './search/explain.ts';
import { fieldCapsApi } from './search/field-caps.ts';
import { multiSearchApi } from './search/multi-search.ts';
import { knnSearchApi } from './search/nearest/knn-search.ts';
import { openPointInTimeApi } from './search/open-point-in-time.ts';
import { rankEvalApi } from './search/rank-eval/rank-eval.ts';
import { scrollApi } from './search/scroll.ts';
import { searchApi } from './search/search.ts';
import { searchShardsApi } from './search/search-shards.ts';
import { multiSearchTemplateApi } from './search/templates/multi-search-template.ts';
import { renderTemplateApi } from './search/templates/render-template.ts';
import { searchTemplateApi } from './search/templates/search-template.ts';
import { termsEnumApi } from './search/terms-enum/terms-enum.ts';
import { validateQueryApi } from './search/validate-query.ts';
import { SEARCH_APPLICATION_APIS } from './search-applications/search-application-apis.ts';
import {
  deleteSnapshotPolicyApi,
  executeSnapshotPolicyApi,
  getSnapshotPoliciesApi,
  putSnapshotPolicyApi,
} from './snapshot-policies/snapshot-policies.ts';
import {
  executeRetentionApi,
  snapshotPolicyStatsApi,
  snapshotPolicyStatusApi,
  startSnapshotPoliciesApi,
  stopSnapshotPoliciesApi,
} from './snapshot-policies/snapshot-policy-mode.ts';
import { createSnapshotApi } from './snapshots/create-snapshot.ts';
import {
  cleanUpRepositoryApi,
  deleteRepositoryApi,
  getRepositoriesApi,
  putRepositoryApi,
  verifyRepositoryApi,
} from './snapshots/repositories.ts';
import { restoreSnapshotApi } from './snapshots/restore-snapshot.ts';
import { cloneSnapshotApi, deleteSnapshotsApi, getSnapshotsApi, snapshotStatusApi } from './snapshots/snapshots.ts';
import { deleteSynonymRuleApi, getSynonymRuleApi, putSynonymRuleApi } from './synonyms/synonym-rules.ts';
import {
  deleteSynonymSetApi,
  getSynonymSetApi,
  listSynonymSetsApi,
  putSynonymSetApi,
} from './synonyms/synonym-sets.ts';
import { cancelTasksApi } from './tasks/cancel-tasks.ts';
import { getTaskApi } from './tasks/get-task.ts';
import { listTasksApi } from './tasks/list-tasks.ts';

export const REST_APIS: readonly RestApi[] = [
  mainApi,
  licenseApi,
  basicStatusApi,
  trialStatusApi,
  putLicenseApi,
  deleteLicenseApi,
  startBasicApi,
  startTrialApi,
  xpackInfoApi,
  xpackUsageApi,
  putLifecyclePolicyApi,
  getLifecyclePolicyApi,
  deleteLifecyclePolicyApi,
  startLifecycleApi,
  stopLifecycleApi,
  lifecycleStatusApi,
  putSnapshotPolicyApi,
  getSnapshotPoliciesApi,
  deleteSnapshotPolicyApi,
  executeSnapshotPolicyApi,
  startSnapshotPoliciesApi,
  stopSnapshotPoliciesApi,
  snapshotPolicyStatusApi,
  snapshotPolicyStatsApi,
  executeRetentionApi,
  explainLifecycleApi,
  removeLifecycleApi,
  retryLifecycleApi,
  getClusterSettingsApi,
  putClusterSettingsApi,
  explainAllocationApi,
  rerouteApi,
  pendingTasksApi,
  addVotingExclusionsApi,
  clearVotingExclusionsApi,
  clusterStatsApi,
  clusterStateApi,
  clusterHealthApi,
  healthReportApi,
  whyApi,
  nodesInfoApi,
  nodesStatsApi,
  nodesUsageApi,
  clusterInfoApi,
  featuresApi,
  resetFeaturesApi,
  systemFeaturesApi,
  migrateSystemFeaturesApi,
  deprecationsApi,
  hotThreadsApi,
  reloadSecureSettingsApi,
  repositoriesMeteringApi,
  clearRepositoriesMeteringApi,
  remoteInfoApi,
  listTasksApi,
  getTaskApi,
  cancelTasksApi,
  createIndexApi,
  getIndexApi,
  indexExistsApi,
  deleteIndexApi,
  openIndexApi,
  closeIndexApi,
  refreshApi,
  clearCacheApi,
  reloadSearchAnalyzersApi,
  flushApi,
  syncedFlushApi,
  forceMergeApi,
  segmentsApi,
  diskUsageApi,
  recoveryApi,
  shardStoresApi,
  indexStatsApi,
  resolveIndexApi,
  resolveClusterApi,
  createFromApi,
  rolloverApi,
  shrinkIndexApi,
  splitIndexApi,
  cloneIndexApi,
  ...DATA_STREAM_APIS,
  simulateIndexApi,
  simulateTemplateApi,
  putPipelineApi,
  executePainlessApi,
  deleteSynonymRuleApi,
  deleteSynonymSetApi,
  getSynonymRuleApi,
  getSynonymSetApi,
  listSynonymSetsApi,
  putSynonymRuleApi,
  putSynonymSetApi,
  putQueryRulesetApi,
  getQueryRulesetApi,
  deleteQueryRulesetApi,
  listQueryRulesetsApi,
  testQueryRulesetApi,
  putQueryRuleApi,
  getQueryRuleApi,
  deleteQueryRuleApi,
  putScriptApi,
  getScriptApi,
  deleteScriptApi,
  scriptLanguagesApi,
  scriptContextsApi,
  getPipelinesApi,
  deletePipelineApi,
  simulatePipelineApi,
  simulateIngestApi,
  grokPatternsApi,
  putEnrichPolicyApi,
  getEnrichPoliciesApi,
  deleteEnrichPolicyApi,
  executeEnrichPolicyApi,
  enrichStatsApi,
  putLogstashPipelineApi,
  getLogstashPipelinesApi,
  deleteLogstashPipelineApi,
  putIndexTemplateApi,
  getIndexTemplateApi,
  indexTemplateExistsApi,
  deleteIndexTemplateApi,
  putComponentTemplateApi,
  getComponentTemplateApi,
  componentTemplateExistsApi,
  deleteComponentTemplateApi,
  putLegacyTemplateApi,
  getLegacyTemplateApi,
  legacyTemplateExistsApi,
  deleteLegacyTemplateApi,
  putRepositoryApi,
  getRepositoriesApi,
  deleteRepositoryApi,
  verifyRepositoryApi,
  cleanUpRepositoryApi,
  createSnapshotApi,
  getSnapshotsApi,
  snapshotStatusApi,
  deleteSnapshotsApi,
  restoreSnapshotApi,
  cloneSnapshotApi,
  analyzeApi,
  getMappingApi,
  getFieldMappingApi,
  putMappingApi,
  getIndexSettingsApi,
  putIndexSettingsApi,
  addBlockApi,
  removeBlockApi,
  getAliasesApi,
  aliasExistsApi,
  putAliasApi,
  putAliasByBodyApi,
  deleteAliasApi,
  updateAliasesApi,
  indexDocumentApi,
  indexDocumentWithoutIdApi,
  createDocumentApi,
  deleteDocumentApi,
  updateDocumentApi,
  getDocumentApi,
  getSourceApi,
  multiGetApi,
  termVectorsApi,
  multiTermVectorsApi,
  bulkApi,
  deleteByQueryApi,
  updateByQueryApi,
  reindexApi,
  rethrottleApi,
  searchApi,
  knnSearchApi,
  countApi,
  multiSearchApi,
  searchTemplateApi,
  multiSearchTemplateApi,
  renderTemplateApi,
  ...SEARCH_APPLICATION_APIS,
  ...CONNECTOR_APIS,
  ...ANALYTICS_APIS,
  submitAsyncSearchApi,
  getAsyncSearchApi,
  asyncSearchStatusApi,
  deleteAsyncSearchApi,
  explainApi,
  rankEvalApi,
  searchShardsApi,
  validateQueryApi,
  fieldCapsApi,
  termsEnumApi,
  scrollApi,
  clearScrollApi,
  openPointInTimeApi,
  closePointInTimeApi,
  deletePointsInTimeApi,
  catHelpApi(CAT_TABLES),
  ...CAT_TABLES,
];
