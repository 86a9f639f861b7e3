export type {
  FetchShardRequest,
  GetRequest,
  QueryShardRequest,
  ShardId,
  WriteConditions,
  WriteOperation,
  WriteOutcome,
  WriteResult,
} from './shard-operations.ts';
export type { FetchedHit, ShardQueryResult, SortColumn, TotalHits } from './shard-results.ts';
