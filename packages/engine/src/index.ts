export { createSegmentMemory, type SegmentMemory } from './memory/kernel-memory.ts';
export { type BreakerNumbers, breakerMemory, type ParentLimit, RequestBreaker } from './memory/request-breaker.ts';
export { ThreadTurns } from './pacing/thread-turns.ts';
export { readShardState } from './shard/commit/shard-state-file.ts';
export type {
  FetchShardRequest,
  GetRequest,
  OpenShardOptions,
  QueryShardRequest,
  Shard,
  ShardId,
  ShardStats,
  StopSignal,
  WriteConditions,
  WriteOperation,
  WriteOutcome,
  WriteResult,
} from './shard/contract/shard.ts';
export { openShard } from './shard/lifecycle/open-shard.ts';
