/**
 * Whether a query may match so many documents that its search is worth dividing, before any is looked for.
 *
 * Where a count is not known the cost of a scorer stands for it. To make one may take as long as a short search, so that those that were
 * made to be looked at are the ones that find the matches.
 */
import type { Searcher, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { Scorer } from '../../../match/weight/scorer.ts';
import type { Weight } from '../../../match/weight/weight.ts';

export interface ExpectedMatches {
  readonly areMany: boolean;
  /** The same query; hands out each scorer that was looked at once, and then new ones. */
  readonly weight: Weight;
}

/** @param many matches from which they are many; deleted documents may count as such */
export function expectMatches({ views }: Searcher, weight: Weight, many: number): ExpectedMatches {
  const made = new Map<SegmentView, Scorer | null>();
  let sum = 0;
  for (const view of views) {
    if (sum >= many) break;
    const known = weight.count(view);
    if (known >= 0) {
      sum += known;
      continue;
    }
    const scorer = weight.scorer(view);
    made.set(view, scorer);
    sum += Math.min(view.segment.docCount, scorer?.cost ?? 0);
  }
  return { areMany: sum >= many, weight: made.size === 0 ? weight : withScorers(weight, made) };
}

function withScorers(weight: Weight, made: Map<SegmentView, Scorer | null>): Weight {
  const scorer = (view: SegmentView): Scorer | null => {
    const known = made.get(view);
    if (known === undefined) return weight.scorer(view);
    made.delete(view);
    return known;
  };
  return { ...weight, scorer };
}
