/**
 * One document of a page while it is made ready: where it stands, and its source, parsed once for all who read it. A nested
 * object is a document too, whose source is the part of the whole that it was made of.
 */
import { ANY_TOKENS, parseJson } from '@shoal/core';
import type { FieldMapping, Mapping } from '@shoal/schema';
import { type NestedStep, nestedSource, type StoredDocument } from '@shoal/shard-api';
import { ByteSlab } from '../../../bytes/byte-slab.ts';
import type { SegmentReader } from '../../../format/reader/segment-reader.ts';
import { readKept } from '../../../format/stored/stored-apart.ts';
import type { SourceObject } from './source-values.ts';

export interface NestedPlace {
  readonly path: string;
  /** From the document to the object. */
  readonly steps: readonly NestedStep[];
  /** The document around it that is nested in none. */
  readonly root: number;
}

type Part = keyof StoredDocument;

/** Sources of the pages of this thread, which are gone with their answers. */
const sources = new ByteSlab();
const copyOfPage = (bytes: Uint8Array): Uint8Array => sources.copy(bytes);

export class FetchedDocument {
  readonly segment: SegmentReader;
  /** In its segment. */
  readonly doc: number;
  /** Path of the nested object with its dot; '' for a document that is nested in none. */
  readonly prefix: string;
  private readonly steps: readonly NestedStep[] | null;
  private readonly root: number;
  /** What the segment keeps of it; null until somebody asks. */
  private kept: StoredDocument | null = null;
  private readonly parsed: Record<Part, { readonly values: unknown } | null> = { source: null, storedApart: null };

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
    return this.part('source');
  }

  /** JSON of the values of stored fields that the source leaves out; null without any. */
  storedApart(): Uint8Array | null {
    return this.part('storedApart');
  }

  private part(part: Part): Uint8Array | null {
    this.kept ??= this.read();
    return this.kept[part];
  }

  private read(): StoredDocument {
    const { steps } = this;
    const { source, storedApart } = readKept(this.segment.document(this.root), copyOfPage);
    const own = (whole: Uint8Array | null): Uint8Array | null =>
      whole === null || steps === null ? whole : nestedSource(whole, steps);
    return { source: own(source), storedApart: own(storedApart) };
  }

  /** `_source` as JSON values; an empty object where the mapping keeps none. */
  values(): unknown {
    return this.valuesOf('source');
  }

  /** Values of the document that a field keeps for itself, or has in the source. */
  keptValues({ path }: FieldMapping, { storedApart }: Mapping): SourceObject {
    // A document that is percolated has all of its values in its source.
    const isApart = storedApart?.fields.has(path) === true && this.storedApart() !== null;
    return { values: () => this.valuesOf(isApart ? 'storedApart' : 'source') };
  }

  private valuesOf(part: Part): unknown {
    const known = this.parsed[part];
    if (known !== null) return known.values;
    const bytes = this.part(part);
    const values = bytes === null ? {} : parseJson(bytes, ANY_TOKENS);
    this.parsed[part] = { values };
    return values;
  }
}
