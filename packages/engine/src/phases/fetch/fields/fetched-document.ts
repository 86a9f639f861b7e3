/**
 * One document of a page while it is made ready: where it stands, and its source, parsed once for all who read it.
 */
import { ANY_TOKENS, parseJson } from '@shoal/core';
import type { SegmentReader } from '../../../format/reader/segment-reader.ts';

export class FetchedDocument {
  readonly segment: SegmentReader;
  /** In its segment. */
  readonly doc: number;
  private parsed: unknown;
  private isParsed = false;

  constructor(segment: SegmentReader, doc: number) {
    this.segment = segment;
    this.doc = doc;
  }

  /** `_source` as JSON values; an empty object where the mapping keeps none. */
  values(): unknown {
    if (!this.isParsed) {
      // A copy: the segment's bytes are a view that its next call overwrites.
      const stored = this.segment.source(this.doc);
      this.parsed = stored.length === 0 ? {} : parseJson(stored.slice(), ANY_TOKENS);
      this.isParsed = true;
    }
    return this.parsed;
  }
}
