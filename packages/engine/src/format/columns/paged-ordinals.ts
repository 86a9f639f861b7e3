/**
 * Ordinals of single documents of a long column, read by pages: of a few hits the ids are wanted, not those of all documents.
 */
import { assert } from '@shoal/core';
import { PagedSection } from '../container/paged-section.ts';
import type { SectionRef } from '../container/section-ref.ts';
import type { SegmentSections } from '../container/segment-sections.ts';
import type { ColumnLayout } from './column-part.ts';

export class PagedOrdinals {
  private readonly sections: SegmentSections;
  private readonly values: PagedSection;
  /** Bytes an ordinal: 1, 2 or 4. */
  private readonly width: number;

  private constructor(sections: SegmentSections, ref: SectionRef, width: number) {
    assert(width === 1 || width === 2 || width === 4, `ordinals of ${width} bytes`);
    this.sections = sections;
    this.values = new PagedSection(sections, ref);
    this.width = width;
  }

  /** false while the whole column is in memory anyway, as no file has it. */
  get isOfFile(): boolean {
    return !this.sections.bytes.isInMemory;
  }

  /** null: the column is short enough to be read whole, or some documents have no value or several. */
  static of({ values: [ref], starts, valueBytes }: ColumnLayout, sections: SegmentSections): PagedOrdinals | null {
    if (ref === undefined || starts !== null || !sections.isReadByRange(ref.length, ref)) return null;
    return new PagedOrdinals(sections, ref, valueBytes);
  }

  ordinal(doc: number): number {
    const { values, width } = this;
    if (width === 4) return values.word(doc);
    const bytes = values.bytes(doc * width, (doc + 1) * width);
    return (bytes[0] as number) | ((bytes[1] ?? 0) << 8);
  }
}
