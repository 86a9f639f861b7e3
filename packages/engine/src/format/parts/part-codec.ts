/**
 * Codec of one kind of part: how what a segment holds of a field for one purpose is written, read and verified.
 *
 * A segment lists the parts of each field as (kind, version, sections, header). A new kind is a codec and its line in the
 * registry, not a new format: a program that does not know it refuses the file by the name of the kind.
 */
import type { PartSink } from '../container/part-sink.ts';
import type { PartSource } from '../container/part-source.ts';
import type { SegmentSections } from '../container/segment-sections.ts';
import type { FlatTerms } from '../terms/flat-terms.ts';

/** What a part may need of its field and segment while it is opened. */
export interface PartContext {
  readonly sections: SegmentSections;
  /** Terms of the same field, which stand before other parts; null without. */
  readonly terms: FlatTerms | null;
}

export interface PartCodec<Content, View> {
  /** Version that is written, and the newest that is read. */
  readonly version: number;
  /**
   * Bytes a page of the part's sections, as that version has them, in a segment whose pages have `segmentPageBytes`; left out where
   * they are the same.
   */
  pageBytes?(segmentPageBytes: number, version: number): number;
  /** Writes sections and header. Yields every millisecond or so. */
  write(content: Content, into: PartSink): Generator<void, void>;
  /** Takes the part out of the directory; its sections are read when they are asked for. */
  read(from: PartSource, context: PartContext): View;
  /**
   * Throws `DamagedBytes` when the lengths of the sections contradict the directory or the documents of the segment. Reads no
   * section: what is in them is under their checksums.
   */
  verify(view: View, docCount: number): void;
}
