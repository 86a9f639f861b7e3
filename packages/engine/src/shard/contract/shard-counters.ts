/**
 * What a shard has done since it was opened: the numbers behind `_stats`.
 */
import { ShardFilters } from '../../memory/filter-use.ts';

export class ShardCounters {
  indexTotal = 0;
  indexTimeMs = 0;
  indexFailed = 0;
  deleteTotal = 0;
  queryTotal = 0;
  queryTimeMs = 0;
  fetchTotal = 0;
  fetchTimeMs = 0;
  getTotal = 0;
  refreshTotal = 0;
  refreshTimeMs = 0;
  readonly filters: ShardFilters = new ShardFilters();
}
