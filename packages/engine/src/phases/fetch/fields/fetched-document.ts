/**
 * One document of a page while it is made ready: where it stands, and its source, parsed once for all who read it. A nested
 * object is a document too, whose source is the part of the whole that it was made of.
 */
import { ANY_TOKENS, parseJson } from '@shoal/core';
import { type NestedStep, nestedSource } from '@shoal/shard-api';
import type { SegmentReader } from '../../../format/reader/segment-reader.ts';

export interface NestedPlace {
  readonly path: string;
  /** From the document to the object. */
  readonly steps: readonly NestedStep[];
  /** The document around it that is nested in none. */
  readonly root: number;
}

export class FetchedDocument {
  readonly segment: SegmentReader;
  /** In its segment. */
  readonly doc: number;
  /** Path of the nested object with its dot; '' for a document that is nested in none. */
  readonly prefix: string;
  private readonly steps: readonly NestedStep[] | null;
  private readonly root: number;
  private parsed: unknown;
  private isParsed = false;

  /** @param nested where a nested object stands; null for a document that is nested in none */
  constructor(segment: SegmentReader, doc: number, nested: NestedPlace | null = null) {
    this.segment = segment;
    this.doc = doc;
    this.prefix = nested === null ? '' : `${nested.path}.`;
    this.steps = nested?.steps ?? null;
    this.root = nested?.root ?? doc;
  }

  /** JSON of the source; null where the mapping keeps none, and for a nested object that does not stand in it as such. */
  source(): Uint8Array | null {
    // A copy: the segment's bytes are a view that its next call overwrites.
    const whole = this.segment.source(this.root).slice();
    if (whole.length === 0) return null;
    return this.steps === null ? whole : nestedSource(whole, this.steps);
  }

  /** `_source` as JSON values; an empty object where the mapping keeps none. */
  values(): unknown {
    if (!this.isParsed) {
      const source = this.source();
      this.parsed = source === null ? {} : parseJson(source, ANY_TOKENS);
      this.isParsed = true;
    }
    return this.parsed;
  }
}
