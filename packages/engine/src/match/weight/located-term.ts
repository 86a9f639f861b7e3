/**
 * A term of a field in the segments of a search, looked up once in each: for its statistics, for the kernels and for cursors.
 */
import type { PostingsCursor, Searcher, SegmentView } from '../../format/reader/segment-reader.ts';

/** Stands for an ordinal that nobody has asked for. */
const UNKNOWN = -2;

export class LocatedTerm {
  readonly field: string;
  readonly bytes: Uint8Array;
  private readonly searcher: Searcher;
  /** Ordinal in each segment of the search; -1: it lacks the term. null before the first look: compiling a query asks for no segment. */
  private ordinals: Int32Array | null = null;
  /** Position of the view that was asked for last: most callers take one after the other. */
  private last = 0;

  constructor(searcher: Searcher, field: string, bytes: Uint8Array) {
    this.field = field;
    this.bytes = bytes;
    this.searcher = searcher;
  }

  /** Ordinal in the segment of `view`, or -1. */
  ordinalIn(view: SegmentView): number {
    const at = this.positionOf(view);
    // Some queries search segments of their own beside those of the searcher.
    if (at < 0) return this.find(view);
    this.ordinals ??= new Int32Array(this.searcher.views.length).fill(UNKNOWN);
    const known = this.ordinals[at] as number;
    return known === UNKNOWN ? (this.ordinals[at] = this.find(view)) : known;
  }

  /** Cursor over its postings in the segment of `view`; null when it has none. */
  postings(view: SegmentView): PostingsCursor | null {
    const ordinal = this.ordinalIn(view);
    const terms = ordinal < 0 ? null : view.segment.terms(this.field);
    return terms !== null && terms.docFreq(ordinal) > 0 ? terms.postings(ordinal) : null;
  }

  private find({ segment }: SegmentView): number {
    return segment.terms(this.field)?.find(this.bytes) ?? -1;
  }

  /** -1: the view is of another segment than those of the search. */
  private positionOf({ segment }: SegmentView): number {
    const { last } = this;
    const { views } = this.searcher;
    if (views[last]?.segment === segment) return last;
    const next = last + 1;
    const at = views[next]?.segment === segment ? next : views.findIndex((view) => view.segment === segment);
    if (at >= 0) this.last = at;
    return at;
  }
}
