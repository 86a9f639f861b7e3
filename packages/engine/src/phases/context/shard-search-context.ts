/**
 * Input and result of a search on one shard, shared by the query, fetch and statistics phases.
 */

import type { AnalyzerRegistry } from '@shoal/analysis';
import type { FlatIndexSettings, Mapping } from '@shoal/schema';
import type { ShardId, ShardQueryResult } from '@shoal/shard-api';
import type { AfterEntry } from '../../collect/walk/after-entry.ts';
import type { Searcher } from '../../format/reader/segment-reader.ts';
import type { ShardFielddata } from '../../memory/fielddata-use.ts';
import type { ShardFilters } from '../../memory/filter-use.ts';
import type { LentSearcher } from './lent-searcher.ts';

export interface ShardSearchContext {
  readonly searcher: Searcher;
  readonly mapping: Mapping;
  readonly settings: FlatIndexSettings;
  readonly analyzers: AnalyzerRegistry;
  readonly index: ShardId;
  /** Aliases of the index; left out where it has none. */
  readonly aliases?: readonly string[];
  /** Entries up to this one were shown on pages before; null at the first. */
  readonly after: AfterEntry | null;
  /** Left out where nobody counts what fields hold. */
  readonly fielddata?: ShardFielddata;
  /** Left out where no filters are kept. */
  readonly filters?: ShardFilters;
  /** What another thread needs to search the same; null: it cannot. Left out where nobody asks. */
  readonly lend?: () => LentSearcher | null;
}

export interface ShardQueryOutcome extends Omit<ShardQueryResult, 'contextId'> {
  /** Left out unless hits of a `rescore` are explained. */
  readonly rescored?: RescoredOrds;
  /** The request says `now`: at another moment the answer is another one. Left out where it is never cached. */
  readonly dependsOnNow?: boolean;
}

/** Ordinals that each `rescore` of a request scored again, ascending; documents behind its window are none. */
export type RescoredOrds = readonly Uint32Array[];
