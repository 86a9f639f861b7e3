export { compareColumnEntries, sortValueForHit } from './columns/compare-columns.ts';
export { joinColumns, shownOf } from './columns/join-columns.ts';
export { pickColumns, stringColumn } from './columns/pick-columns.ts';
export { sliceColumns } from './columns/slice-columns.ts';
export { columnLength, SHOWN_BYTES, type ShownBytes, type SortColumn } from './columns/sort-column.ts';
export { wholeColumn } from './columns/whole-column.ts';
export type { CachesToClear } from './reads/caches-to-clear.ts';
export type { CopiedDocuments, CopyDocumentsRequest } from './reads/document-copies.ts';
export type { ForcedMerge } from './reads/forced-merge.ts';
export type {
  FetchShardRequest,
  GetRequest,
  NextEntriesRequest,
  PackedForm,
  QueryShardRequest,
  ShardSearch,
} from './reads/shard-requests.ts';
export type { TermFilter, TermVectors, TermVectorsRequest, VectorDocument } from './reads/term-vectors.ts';
export type { ShardTerms, TermsEnumRequest } from './reads/terms-enum.ts';
export type { BreakerNumbers } from './results/breaker-numbers.ts';
export { COMPLETION_FIELDS_MAX, COMPLETION_OF } from './results/completion-sizes.ts';
export { HitsJson, type ShownHit } from './results/hits-json.ts';
export type { IndexingPressureStats } from './results/indexing-pressure-stats.ts';
export { NameCounts } from './results/name-counts.ts';
export type {
  RankAnswer,
  RankAsk,
  RankEntries,
  RankedQueryResult,
  RankPivot,
  RankRound,
  RankRoundRequest,
} from './results/rank-paging.ts';
export type { FieldDiskBytes, SegmentInfo } from './results/segment-info.ts';
export {
  PEER_RECOVERY_STAGES,
  type PeerRecovery,
  type PeerRecoveryStage,
  type ShardRecovery,
} from './results/shard-recovery.ts';
export type {
  FetchedHit,
  HitExplanation,
  ScrolledResult,
  ShardQueryResult,
  TotalHits,
} from './results/shard-results.ts';
export type {
  CompletionOption,
  NamedContexts,
  PhraseOption,
  ShardSuggestions,
  SuggestEntry,
  SuggestOption,
  TermOption,
} from './results/suggestions.ts';
export { type FieldCounts, type TermCounts, TermStatisticsTable } from './results/term-statistics.ts';
export {
  SEARCH_QUEUE_MAX,
  THREAD_POOLS,
  type ThreadPoolName,
  type ThreadPoolStats,
} from './results/thread-pool-stats.ts';
export type { ShardId } from './shard-id.ts';
export { filterSourceBytes } from './source/filter-source.ts';
export { filterNestedSource, type NestedStep, nestedSource } from './source/nested-source.ts';
export { type StoredDocument, storedFieldsOf, storedNames } from './source/stored-fields.ts';
export { valuesAtPath } from './source/values-at-path.ts';
export { namingVectors } from './source/vectors-in-source.ts';
export {
  decodeOperation,
  encodeOperation,
  operationBytesMax,
  packHistory,
  RECORDED_RESULTS,
  unpackHistory,
} from './writes/history-codec.ts';
export type { HistoryOperation, OperationOrigin } from './writes/history-operation.ts';
export {
  ASSIGNED_TEMPLATES_MAX,
  KIND_CREATE,
  KIND_CREATE_AUTO_ID,
  KIND_DELETE,
  KIND_INDEX,
  KIND_INDEX_AUTO_ID,
  KIND_UPDATE,
  NO_CONDITIONS,
  writeExtras,
} from './writes/operation-kinds.ts';
export { type ByteRange, OperationPacker, PackedOperations, packOperations } from './writes/packed-operations.ts';
export { FAILED_WORD, PackedResults, RESULT_WORDS, type ResultColumns } from './writes/packed-results.ts';
export { isRequestToken, RequestToken, RequestTokens } from './writes/request-token.ts';
export type { OperationList, WriteConditions, WriteOperation } from './writes/write-operation.ts';
export type { WriteOutcome } from './writes/write-outcome.ts';
export type { DoneWord, WriteResult } from './writes/write-result.ts';
