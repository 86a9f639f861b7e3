/**
 * Nested objects of a document that match.
 */
import { NO_MORE_DOCS, type SegmentView } from '../../../format/reader/segment-reader.ts';
import type { Scorer } from '../../weight/scorer.ts';
import type { Weight } from '../../weight/weight.ts';
import type { InnerDocs } from '../query-behaviour.ts';
import { ParentDocs } from './nested-docs.ts';

export class BlockDocs implements InnerDocs {
  private readonly children: Weight;
  private readonly around: string;
  private readonly isScored: boolean;
  private view: SegmentView | null = null;
  private parents: ParentDocs | null = null;
  private scorer: Scorer | null = null;

  /**
   * @param children matches nested documents of one path only
   * @param around nested object whose documents are asked about; '' for those that are nested in nothing
   */
  constructor(children: Weight, around: string, isScored: boolean) {
    this.children = children;
    this.around = around;
    this.isScored = isScored;
  }

  visit(view: SegmentView, doc: number, take: (view: SegmentView, doc: number, score: number) => void): void {
    if (!view.nested) return;
    if (this.view !== view || this.parents === null) {
      this.parents = new ParentDocs(view, this.around);
      this.scorer = this.children.scorer(view);
      this.view = view;
    }
    const first = this.parents.before(doc) + 1;
    // Documents come in ascending order, mostly: a scorer that is too far begins again.
    if (this.scorer !== null && this.scorer.doc > first) this.scorer = this.children.scorer(view);
    const { scorer } = this;
    if (scorer === null || first === doc) return;
    let at = scorer.doc < first ? scorer.advance(first) : scorer.doc;
    for (; at < doc && at !== NO_MORE_DOCS; at = scorer.next()) take(view, at, this.isScored ? scorer.score() : 0);
  }
}
