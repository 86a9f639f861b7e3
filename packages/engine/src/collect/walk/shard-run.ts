/**
 * A query under way on one shard: what it asks, what it was compiled to, and how far it may go.
 */
import { assert } from '@shoal/core';
import type { SearchRequest } from '@shoal/query';
import type { Searcher, SegmentView } from '../../format/reader/segment-reader.ts';
import type { PreparedDocs } from '../../match/context/prepared-docs.ts';
import type { Scorer } from '../../match/weight/scorer.ts';
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
  /** Parts of the query that are found when a segment's turn comes; null: nothing is prepared. */
  readonly prepared: PreparedDocs | null;
  readonly walk: MatchWalk;
  readonly topN: number;
}

/** Matches that need not be walked to be counted; -1 where they must be. */
export function knownCount({ search, weight }: ShardRun, view: SegmentView): number {
  const known = search.minScore === null && search.terminateAfter === 0 ? weight.count(view) : -1;
  assert(known <= view.segment.docCount, `${known} matches of ${view.segment.docCount} documents`);
  return known;
}

/**
 * Finds what the query wants prepared in a segment. It is done when the segment's turn comes: a search that ends before has not
 * looked at the dictionaries of the others.
 */
export async function prepareIn({ prepared, walk, pacer }: ShardRun, view: SegmentView): Promise<void> {
  if (prepared === null || prepared.isEmpty) return;
  await prepared.prepare([view], pacer);
  walk.isTimedOut = pacer.isOver;
}

/** The query's scorer, with what it wants prepared; null when nothing in the segment matches, or time is over. */
export async function scorerIn(run: ShardRun, view: SegmentView): Promise<Scorer | null> {
  await prepareIn(run, view);
  return run.walk.isTimedOut ? null : run.weight.scorer(view);
}
