/**
 * What a shard has done since it was opened: the numbers behind `_stats`.
 */
import { ShardFielddata } from '../../memory/fielddata-use.ts';
import { ShardFilters } from '../../memory/filter-use.ts';
import { SearchGroups } from './search-groups.ts';

export class ShardCounters {
  indexTotal = 0;
  indexTimeMs = 0;
  indexFailed = 0;
  /** Documents of requests that are being written now. */
  indexCurrent = 0;
  noopTotal = 0;
  deleteTotal = 0;
  deleteTimeMs = 0;
  queryTotal = 0;
  queryTimeMs = 0;
  /** Query phases that run now. */
  queryCurrent = 0;
  fetchTotal = 0;
  fetchTimeMs = 0;
  /** Fetch phases that run now. */
  fetchCurrent = 0;
  suggestTotal = 0;
  suggestTimeMs = 0;
  /** Suggest phases that run now. */
  suggestCurrent = 0;
  /** Scrolls that ended. */
  scrollTotal = 0;
  /** Time from the first page of those scrolls to their end. */
  scrollTimeMs = 0;
  getTotal = 0;
  getTimeMs = 0;
  getMissingTotal = 0;
  getMissingTimeMs = 0;
  refreshTotal = 0;
  refreshTimeMs = 0;
  readonly groups: SearchGroups = new SearchGroups();
  readonly fielddata: ShardFielddata = new ShardFielddata();
  readonly filters: ShardFilters = new ShardFilters();

  /** Counts a document that was asked for by its id. */
  countGet(tookMs: number, isFound: boolean): void {
    this.getTotal++;
    this.getTimeMs += tookMs;
    if (isFound) return;
    this.getMissingTotal++;
    this.getMissingTimeMs += tookMs;
  }
}
