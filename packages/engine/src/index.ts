export { drawHashSecret } from './bytes/hash-secret.ts';
export type { AskedGuests, PartStates, SharedParts } from './collect/aggregations/run/search-guests.ts';
export { fieldType } from './field-types/field-types.ts';
export { breakerMemory, type ParentLimit, RequestBreaker } from './memory/request-breaker.ts';
export type { SegmentMemory } from './memory/segment-memory.ts';
export { createSegmentMemory } from './memory/thread-memory.ts';
export type { StopSignal } from './pacing/stop-signal.ts';
export type { LentSearcher } from './phases/context/lent-searcher.ts';
export { DIVISION_LIMITS, type GuestSearch, type SearchDivision } from './phases/context/search-division.ts';
export { resultOf } from './phases/query/query-outcome.ts';
export { openContent, replaceFile, sealContent, writeFile } from './shard/commit/durable-file.ts';
export { readShardState, writeShardState } from './shard/commit/shard-state-file.ts';
export { OPEN_SCROLLS_MAX_DEFAULT, ScrollCount, scrollMemory } from './shard/contexts/scroll-count.ts';
export type { PrimaryClaim } from './shard/contract/primary-claim.ts';
export type {
  FetchShardRequest,
  GetRequest,
  OpenShardOptions,
  QueryShardRequest,
  Shard,
  ShardId,
  ShardStats,
  WriteConditions,
  WriteOperation,
  WriteOutcome,
  WriteResult,
} from './shard/contract/shard.ts';
export type { ExecutedWrite } from './shard/contract/shard-history.ts';
export { SearchGuest, type SearchGuestOptions } from './shard/guest/search-guest.ts';
export { openShard } from './shard/lifecycle/open-shard.ts';
export { FileRecovery } from './shard/recovery/file-recovery.ts';
export {
  RECOVERY_BYTES_PER_SECOND_DEFAULT,
  RecoveryPace,
  RecoveryRate,
  recoveryMemory,
} from './shard/recovery/recovery-pace.ts';
export type { ShardRestore } from './shard/snapshot/restore-shard.ts';
export {
  isBlobName,
  manifestName,
  readManifest,
  type ShardManifest,
  snapshotOfManifest,
  writeManifest,
} from './shard/snapshot/shard-manifest.ts';
export type { ShardSnapshotRequest } from './shard/snapshot/snapshot-shard.ts';
