/**
 * A query under way on one shard: what it asks, what it was compiled to, and how far it may go.
 */
import { assert } from '@shoal/core';
import type { SearchRequest } from '@shoal/query';
import type { Searcher, SegmentView } from '../../format/reader/segment-reader.ts';
import type { Weight } from '../../match/weight/weight.ts';
import type { WorkPacer } from '../../pacing/work-pacer.ts';
import type { AfterEntry } from './after-entry.ts';
import type { MatchWalk } from './match-walk.ts';

export interface ShardRun {
  readonly after: AfterEntry | null;
  readonly pacer: WorkPacer;
  readonly searcher: Searcher;
  readonly search: SearchRequest;
  readonly weight: Weight;
  readonly walk: MatchWalk;
  readonly topN: number;
}

/** Matches that need not be walked to be counted; -1 where they must be. */
export function knownCount({ search, weight }: ShardRun, view: SegmentView): number {
  const known = search.minScore === null && search.terminateAfter === 0 ? weight.count(view) : -1;
  assert(known <= view.segment.docCount, `${known} matches of ${view.segment.docCount} documents`);
  return known;
}
