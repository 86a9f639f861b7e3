/**
 * Scores of documents that were found already, one by one.
 */
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { ParentDocs } from '../../../match/kinds/nested/nested-docs.ts';
import { DocTest } from '../../../match/weight/doc-test.ts';
import type { Scorer } from '../../../match/weight/scorer.ts';
import type { Weight } from '../../../match/weight/weight.ts';

export class DocScores {
  private readonly weight: Weight;
  private readonly areNested: boolean;
  private view: SegmentView | null = null;
  private scorer: Scorer | null = null;
  private test: DocTest | null = null;
  private roots: ParentDocs | null = null;

  /** @param areNested the documents are nested objects, which have the score of the document that they stand in */
  constructor(weight: Weight, areNested: boolean) {
    this.weight = weight;
    this.areNested = areNested;
  }

  enter(view: SegmentView): void {
    this.view = view;
    this.roots = this.areNested ? new ParentDocs(view, '') : null;
    this.restart(view);
  }

  /** Documents come in ascending order, mostly. 0 where the query does not match. */
  at(doc: number): number {
    const own = this.roots?.from(doc) ?? doc;
    if (this.view !== null && this.test !== null && this.test.doc > own) this.restart(this.view);
    return this.test?.has(own) ? (this.scorer?.score() ?? 0) : 0;
  }

  private restart(view: SegmentView): void {
    this.scorer = this.weight.scorer(view);
    this.test = this.scorer && new DocTest(this.scorer);
  }
}
