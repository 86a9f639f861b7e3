/**
 * Dictionary of a field that is too long to be read for one term: its index says which terms to look at, and they are read by pages.
 */
import { assert } from '@shoal/core';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import { PagedSection } from '../container/paged-section.ts';
import type { SectionRef } from '../container/section-ref.ts';
import type { SectionGroup, SegmentSections } from '../container/segment-sections.ts';
import type { TermIndexContent } from '../postings/term-index.ts';
import type { TermsRefs } from './terms-sections.ts';

export class PagedDictionary {
  private readonly size: number;
  /** Length of every term, in bytes; 0 when they differ. */
  private readonly termLength: number;
  private readonly index: SectionGroup<TermIndexContent>;
  private readonly termStarts: PagedSection | null;
  private readonly termBytes: PagedSection;
  private readonly docFreqs: PagedSection | null;
  private readonly places: PagedSection | null;
  private readonly totalTermFreqs: PagedSection | null;

  constructor(
    { dictionary }: TermsRefs,
    sections: SegmentSections,
    index: SectionGroup<TermIndexContent>,
    { size, termLength }: { readonly size: number; readonly termLength: number },
  ) {
    const paged = (ref: SectionRef | null | undefined): PagedSection | null =>
      ref ? new PagedSection(sections, ref) : null;
    this.size = size;
    this.termLength = termLength;
    this.index = index;
    this.termStarts = paged(dictionary.termStarts);
    assert(size > 0, 'an index of a dictionary without terms');
    const termBytes = paged(dictionary.termBytes);
    assert(termBytes !== null, 'a dictionary without the bytes of its terms');
    this.termBytes = termBytes;
    this.docFreqs = paged(dictionary.docFreqs);
    this.places = paged(dictionary.postingsAt);
    this.totalTermFreqs = paged(dictionary.totalTermFreqs);
  }

  private startOf(ordinal: number): number {
    return this.termStarts === null ? ordinal * this.termLength : this.termStarts.word(ordinal);
  }

  private compare(ordinal: number, term: Uint8Array): number {
    return this.termBytes.compare(this.startOf(ordinal), this.startOf(ordinal + 1), term);
  }

  /** See `TermDictionary.ceiling`. */
  ceiling(term: Uint8Array, from: number): number {
    const { size } = this;
    const index = this.index.get();
    const first = rangeOf(index, term) * index.stride;
    let low = Math.max(first, from);
    let high = Math.min(first + index.stride, size);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(middle, term) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Ordinal of `term`, or -1. */
  find(term: Uint8Array): number {
    const ordinal = this.ceiling(term, 0);
    return ordinal < this.size && this.compare(ordinal, term) === 0 ? ordinal : -1;
  }

  term(ordinal: number): Uint8Array {
    return this.termBytes.bytes(this.startOf(ordinal), this.startOf(ordinal + 1));
  }

  /** 1 where each term has one document. */
  docFreq(ordinal: number): number {
    return this.docFreqs?.word(ordinal) ?? 1;
  }

  /** The same as `docFreq` where frequencies are not stored. */
  totalTermFreq(ordinal: number): number {
    return this.totalTermFreqs?.word(ordinal) ?? this.docFreq(ordinal);
  }

  postingsAt(ordinal: number): number {
    return this.places?.word(ordinal) ?? 0;
  }
}

/** Number of the last separator that is at or below `term`: the first term at or above it is in its range, or ends it. */
function rangeOf({ starts, bytes }: TermIndexContent, term: Uint8Array): number {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (compareBytes(bytes, starts[middle] as number, starts[middle + 1] as number, term) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}
