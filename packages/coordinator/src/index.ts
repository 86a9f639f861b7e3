export { type AsyncContent, AsyncSearch } from './async-searches/async-search.ts';
export { AsyncSearches, asyncSearchNode } from './async-searches/async-searches.ts';
export {
  BULK_ACTIONS,
  type BulkAction,
  type BulkItem,
  BulkItems,
  DELETE_ACTION,
  isPlainByte,
  NO_EXTRAS,
  NO_ID,
  NO_SOURCE,
  type PlainItem,
  UPDATE_ACTION,
} from './bulk/bulk-items.ts';
export { type AnsweredBatch, type BulkItemOutcome, BulkOutcomes } from './bulk/bulk-outcomes.ts';
export { type BulkOptions, DEFAULT_WRITE_TIMEOUT_MS, executeBulk } from './bulk/execute-bulk.ts';
export type { ByQueryKind, ByQueryRequest, HitWrite, SourceRequest } from './by-query/by-query-request.ts';
export { renderByQueryStatus } from './by-query/by-query-status.ts';
export { type ByQueryOutcome, executeByQuery } from './by-query/execute-by-query.ts';
export type { RemoteCluster } from './by-query/remote-client.ts';
export { RemoteHits } from './by-query/remote-hits.ts';
export { ScrolledHits, type ScrolledSearch } from './by-query/scrolled-hits.ts';
export type { SourceHit } from './by-query/source-hits.ts';
export {
  type CoordinatorContext,
  type CoordinatorSettings,
  createCoordinatorContext,
  DEFAULT_COORDINATOR_SETTINGS,
  nodeCounters,
} from './context/coordinator-context.ts';
export { primaryAllocations } from './copies/primary-allocations.ts';
export { type DocumentOutcome, executeGet, executeMultiGet, type GetOptions } from './documents/execute-get.ts';
export {
  executeOneTermVectors,
  executeTermVectors,
  type TermVectorsInput,
  type TermVectorsOutcome,
} from './documents/execute-term-vectors.ts';
export type { DocumentKey } from './documents/read-document.ts';
export { readSourceChoice } from './documents/source-choice.ts';
export { enrichAlias, enrichIndexMeta, isExecuted } from './enrich/enrich-index.ts';
export { EnrichLookups } from './enrich/enrich-lookups.ts';
export { splitSelector, withSelector } from './indices/component-selector.ts';
export { resolveDateMathName } from './indices/date-math-name.ts';
export {
  type IndicesOptions,
  METADATA_INDICES_OPTIONS,
  READ_INDICES_OPTIONS,
} from './indices/indices-options.ts';
export {
  indicesOfAlias,
  type ResolvedIndex,
  resolveIndexNames,
  resolveIndices,
  splitExpression,
} from './indices/resolve-indices.ts';
export { countOf, resolveNames } from './indices/resolve-names.ts';
export { findWriteIndex } from './indices/write-index.ts';
export { type IndexPipelines, NO_PIPELINE, pipelinesOfIndex } from './ingest/index-pipelines.ts';
export { fieldsOf as sourceFieldsOf, ingestDocumentOf, writeOf } from './ingest/ingested-document.ts';
export { runRoute } from './ingest/pipeline-route.ts';
export { type LifecyclePhase, parseLifecyclePolicy } from './lifecycle/lifecycle-policy.ts';
export { explainLifecycle, type LifecycleProgress } from './lifecycle/lifecycle-progress.ts';
export { LifecycleRunner } from './lifecycle/lifecycle-runner.ts';
export { ManagerDuty } from './lifecycle/manager-duty.ts';
export { measureIndex } from './lifecycle/measure-index.ts';
export { areMet, parseConditions, type RolledIndex } from './lifecycle/rollover-conditions.ts';
export {
  generationStartMs,
  managerOf,
  prefersPolicy,
  rolloverConditions,
  streamLifecycleOf,
} from './lifecycle/stream-lifecycle.ts';
export {
  AS_THEY_ARE,
  cancelTasks,
  type GatheredTasks,
  listTasks,
  type NodeTasks,
  rethrottleTask,
  type TasksQuestion,
  type TasksWait,
} from './nodes/ask-tasks.ts';
export { type CopyStats, copiesByIndex } from './nodes/copy-stats.ts';
export { filterNodes } from './nodes/node-filter.ts';
export {
  askNodes,
  gatherStats,
  maintainShards,
  NODE_TIMEOUT_MS_DEFAULT,
  type NodeAnswers,
  nodeFailureBody,
  nodesHeaderBody,
  type ShardsHeader,
} from './nodes/node-requests.ts';
export { readPreference } from './nodes/read-preference.ts';
export { gatherRecoveries, gatherSegments, type OfShards } from './nodes/shard-reports.ts';
export { findRuleset, type KeptRuleset, QUERY_RULES_INDEX, requiredRuleset } from './query-rules/find-ruleset.ts';
export { parseQueryRule, type QueryRule, queryRuleBody } from './query-rules/query-rule.ts';
export { matchingRules, parseQueryRuleset, type QueryRuleset, rulesetOf } from './query-rules/query-ruleset.ts';
export { keepAliveMs, validationError } from './search/actions/check-context-use.ts';
export { type CountInput, type CountOutcome, executeCount } from './search/actions/execute-count.ts';
export { executeExplain } from './search/actions/execute-explain.ts';
export { executeScroll, freeAllContexts, freeHeldContexts, requireIds } from './search/actions/execute-scroll.ts';
export { executeSearch } from './search/actions/execute-search.ts';
export { executeTermsEnum } from './search/actions/execute-terms-enum.ts';
export { executeValidate, type ShardValidation } from './search/actions/execute-validate.ts';
export { fieldsWithValues } from './search/actions/fields-with-values.ts';
export { type MatchingIndices, matchingIndices } from './search/actions/matching-indices.ts';
export { openPointInTime } from './search/actions/open-point-in-time.ts';
export { type FetchInput, withFetchedParts } from './search/phases/fetched-parts.ts';
export { renderShardCounts, type ShardCounts, type ShardFailure } from './search/phases/search-failures.ts';
export type { MergedOption } from './search/results/merge-suggestions.ts';
export { reduceFailure } from './search/results/reduce-failure.ts';
export type { InnerSearch, SearchHit, SearchOutcome, SearchSuggestions } from './search/results/search-outcome.ts';
export { renderProfile } from './search/results/search-profile.ts';
export { readContextId } from './search/targets/context-ids.ts';
export { withExactCount } from './search/targets/exact-count.ts';
export { allowsIdValuesOf } from './search/targets/expensive-queries.ts';
export {
  DEFAULT_BATCHED_REDUCE_SIZE,
  DEFAULT_CONCURRENT_SHARD_REQUESTS,
  PLAIN_SEARCH,
  type SearchInput,
} from './search/targets/search-input.ts';
export { searchTargets } from './search/targets/search-targets.ts';
export { type FoundTask, findTask } from './stored-tasks/find-task.ts';
export { storeTaskResult, TASKS_INDEX } from './stored-tasks/store-task-result.ts';
export { TaskCluster } from './tasks/task-cluster.ts';
export { parseTaskId, type TaskId } from './tasks/task-id.ts';
export { Task, TaskRegistry } from './tasks/task-registry.ts';
