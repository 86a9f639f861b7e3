/**
 * Documents that a hit is joined with: those that match and have the id of a parent that the hit has.
 */
import { isLive } from '../../../format/flat-segment.ts';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { NO_MORE_DOCS } from '../../../format/reader/segment-reader.ts';
import { termCursor } from '../../scorers/term-weight.ts';
import type { Scorer } from '../../weight/scorer.ts';
import type { Weight } from '../../weight/weight.ts';
import type { InnerDocs } from '../query-behaviour.ts';
import { idAt } from './joined-ids.ts';

export class RelatedDocs implements InnerDocs {
  private readonly views: readonly SegmentView[];
  private readonly matches: Weight;
  private readonly ids: string;
  private readonly isScored: boolean;

  /**
   * @param matches documents that match, of the kind that is meant
   * @param ids path of the column of ids, which hits and matches share
   */
  constructor(views: readonly SegmentView[], matches: Weight, ids: string, isScored: boolean) {
    this.views = views;
    this.matches = matches;
    this.ids = ids;
    this.isScored = isScored;
  }

  visit(view: SegmentView, doc: number, take: (view: SegmentView, doc: number, score: number) => void): void {
    const column = view.segment.ordinalColumn(this.ids);
    const id = column === null ? null : idAt(column, doc);
    if (id === null) return;
    const term = Buffer.from(id, 'latin1');
    for (const other of this.views) {
      const same = termCursor(other, this.ids, term);
      const scorer = same === null ? null : this.matches.scorer(other);
      if (same !== null && scorer !== null) this.intersect(other, same, scorer, take);
    }
  }

  private intersect(
    view: SegmentView,
    same: { next(): number },
    scorer: Scorer,
    take: (view: SegmentView, doc: number, score: number) => void,
  ): void {
    for (let at = same.next(); at !== NO_MORE_DOCS; at = same.next()) {
      if (view.liveDocs !== null && !isLive(view.liveDocs, at)) continue;
      const found = scorer.doc < at ? scorer.advance(at) : scorer.doc;
      if (found === at) take(view, at, this.isScored ? scorer.score() : 0);
    }
  }
}
