/**
 * The first matches of a shard by sort keys: each segment's, merged.
 *
 * Where keys are known by blocks, only blocks are looked at that may hold one that still enters, be it among the documents
 * of their segment or of those before it.
 */
import { assert } from '@shoal/core';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { Scorer } from '../../match/weight/scorer.ts';
import { knownCount, type ShardRun, scorerIn } from '../walk/shard-run.ts';
import type { KeyBlocks } from './key-blocks.ts';
import { mergeSegments, type SortedEntries } from './merge-segments.ts';
import { ObservedMatches } from './observed-matches.ts';
import type { SegmentKey, SortKey } from './segment-key.ts';
import { type SortScratch, sortBlocks, sortScratch } from './sort-blocks.ts';
import { type AmongSegments, firstOfSegments, type SegmentEntries, SegmentTop } from './top-sorted.ts';

export interface SortedMatches {
  readonly entries: SortedEntries;
  /** null unless it was asked for. */
  readonly maxScore: number | null;
}

/** The first documents by the keys. `isScored`: some of them, or the answer, need scores. */
export async function sortMatches(run: ShardRun, keys: readonly SortKey[], isScored: boolean): Promise<SortedMatches> {
  const { search, walk, topN, searcher } = run;
  const segments: SegmentEntries[] = [];
  let maxScore = -1;
  const among = firstOfSegments();
  const scratch = sortScratch();
  for (const view of searcher.views) {
    const scorer = await scorerIn(run, view);
    if (!scorer) continue;
    const sources = keys.map((key) => key.bind(view));
    // Where keys of segments do not compare, no limit goes from one to another.
    const isLocal = sources[0]?.isLocal === true;
    const own = isLocal ? { ...among, limit: Number.POSITIVE_INFINITY } : among;
    const observed = ObservedMatches.of(sources);
    if (observed !== null) await walk.run(view, scorer, observed);
    const top = segmentTop(run, view, sources, own);
    if (observed !== null) observed.handTo(top);
    else await collectSorted(run, view, scorer, top, isScored ? null : (sources[0]?.blocks ?? null), scratch);
    maxScore = Math.max(maxScore, top.maxScore);
    const entries = top.finish(view.docBase);
    assert(
      entries.docs.length <= view.segment.docCount,
      `${entries.docs.length} entries of ${view.segment.docCount} documents`,
    );
    if (!isLocal && entries.docs.length === topN) {
      among.limit = Math.min(among.limit, entries.keys[0]?.[topN - 1] ?? among.limit);
    }
    segments.push(entries);
    if (walk.isDone) break;
  }
  const merged = mergeSegments(search.sort, segments, topN);
  assert(merged.ords.length <= topN, `${merged.ords.length} entries of at most ${topN}`);
  assert(merged.columns.length === keys.length, `${merged.columns.length} columns of ${keys.length} sort keys`);
  const hasMaxScore = isScored && search.tracksScores && maxScore >= 0;
  return { entries: merged, maxScore: hasMaxScore ? maxScore : null };
}

/** The segment's first entries. Only where they are not to be scored can blocks of them be left out. */
async function collectSorted(
  run: ShardRun,
  view: SegmentView,
  scorer: Scorer,
  top: SegmentTop,
  blocks: KeyBlocks | null,
  scratch: SortScratch,
): Promise<void> {
  const { search, walk, pacer } = run;
  const isWhole = search.minScore !== null || search.terminateAfter !== 0;
  const bits = isWhole || blocks === null ? null : scorer.bits;
  if (!bits || blocks === null) return walk.run(view, scorer, top);
  const known = knownCount(run, view);
  if (known >= 0) walk.total += known;
  else await walk.run(view, scorer, null, { countMax: search.trackTotalHits, known });
  await sortBlocks(view, bits, { blocks, top, pacer, scratch });
  walk.isTimedOut = pacer.isOver;
}

function segmentTop(
  { search, after: afterEntry, topN }: ShardRun,
  view: SegmentView,
  sources: readonly SegmentKey[],
  among: AmongSegments,
): SegmentTop {
  const capacity = Math.min(topN, view.segment.docCount);
  const searchAfter = afterEntry?.values ?? search.searchAfter;
  const after = searchAfter && Float64Array.from(sources, (source, k) => source.keyOfValue(searchAfter[k] ?? null));
  // Entries of earlier segments with equal keys stand before it, those of later ones behind.
  const afterDoc = afterEntry === null ? Number.POSITIVE_INFINITY : afterEntry.ord - view.docBase;
  return new SegmentTop(sources, capacity, { keys: after, doc: afterDoc }, search.tracksScores, among);
}
