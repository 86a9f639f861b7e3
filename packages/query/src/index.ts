export type { FetchedHit, ShardQueryResult, SortColumn, TotalHits } from './shard-results.ts';
