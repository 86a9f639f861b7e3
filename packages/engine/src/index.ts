export { type AnalyzedToken, type AnalyzeRequest, analyzeRequest } from './analysis/analyze-request.ts';
export { type AnalyzerRegistry, createAnalyzers } from './analysis/analyzer-registry.ts';
export { createSegmentMemory, type SegmentMemory } from './kernels/kernel-memory.ts';
export { openShard } from './shard/open-shard.ts';
export { type BreakerNumbers, breakerMemory, type ParentLimit, RequestBreaker } from './shard/request-breaker.ts';
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
} from './shard/shard.ts';
export { readShardState } from './shard/shard-state-file.ts';
export { ThreadTurns } from './shard/thread-turns.ts';
