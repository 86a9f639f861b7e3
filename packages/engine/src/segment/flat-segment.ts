/**
 * A finished segment over its bytes: the same for one made by a refresh and one read from a file.
 */
import { DamagedBytes, isShoalError } from '@shoal/core';
import type { KernelMemory, PlacedBytes, SegmentMemory } from '../kernels/kernel-memory.ts';
import type { SegmentFilters } from './filter-cache.ts';
import { FlatTerms } from './flat-postings.ts';
import { readNumberColumn } from './number-column.ts';
import { FlatOrdinals } from './ordinal-column.ts';
import { ContainerReader, corruptSegment } from './segment-container.ts';
import {
  type DocMeta,
  NO_MORE_DOCS,
  type NumericColumn,
  type OrdinalColumn,
  type SegmentReader,
  type TermDictionary,
} from './segment-reader.ts';
import type { StoredBytes } from './stored-bytes.ts';
import { StoredDocuments } from './stored-documents.ts';

export const ID_FIELD = '_id';
export const ROUTING_FIELD = '_routing';
export const FIELD_NAMES_FIELD = '_field_names';
export const SEQ_NO_FIELD = '_seq_no';
export const VERSION_FIELD = '_version';
export const PRIMARY_TERM_FIELD = '_primary_term';

/** Parts of a field in the directory, as bits. */
export const PART_TERMS = 1;
export const PART_ORDINALS = 2;
export const PART_NUMBERS = 4;
export const PART_NORMS = 8;

interface FieldParts {
  terms: FlatTerms | null;
  ordinals: FlatOrdinals | null;
  numbers: NumericColumn | null;
  norms: Uint8Array | null;
}

export interface SegmentOptions {
  readonly stored: StoredBytes;
  /** Made by this process a moment ago: checksums need not be computed again. */
  readonly isTrusted: boolean;
}

const decoder = new TextDecoder();

export class FlatSegment implements SegmentReader {
  readonly name: string;
  readonly docCount: number;
  /** The whole container, as it is written to a file; all but the stored documents. Not to be read once the last holder released the segment. */
  readonly bytes: Uint8Array;
  /** Where the bytes stand, when kernels can read them. */
  readonly kernels: KernelMemory | null;
  /** What is kept of filters on it. */
  readonly filters: SegmentFilters | null;
  private readonly placed: PlacedBytes;
  /** Fields in the order of the directory. */
  readonly fieldNames: readonly string[];
  private readonly fields = new Map<string, FieldParts>();
  readonly stored: StoredDocuments;
  private readonly ids: FlatOrdinals;
  private readonly seqNos: NumericColumn;
  private readonly versions: NumericColumn;
  private readonly primaryTerms: NumericColumn;

  private constructor(placed: PlacedBytes, memory: SegmentMemory, path: string, options: SegmentOptions) {
    this.placed = placed;
    this.bytes = placed.bytes;
    this.filters = memory.filters?.ofSegment() ?? null;
    this.kernels = placed.address === 0 ? null : memory.kernels;
    const from = new ContainerReader(placed.bytes, path, options.isTrusted);
    this.name = from.directory.text();
    this.docCount = from.directory.u32();
    this.stored = new StoredDocuments(from, this.docCount, options.stored, memory.blocks);
    const fieldCount = from.directory.u32();
    for (let i = 0; i < fieldCount; i++) this.fields.set(from.directory.text(), readField(from));
    from.finish();
    this.fieldNames = [...this.fields.keys()];
    const wanted = <T>(part: T | null | undefined, name: string): T => {
      if (part === null || part === undefined) throw new DamagedBytes(`field ${name} is missing`);
      return part;
    };
    this.ids = wanted(this.fields.get(ID_FIELD)?.ordinals, ID_FIELD);
    this.seqNos = wanted(this.fields.get(SEQ_NO_FIELD)?.numbers, SEQ_NO_FIELD);
    this.versions = wanted(this.fields.get(VERSION_FIELD)?.numbers, VERSION_FIELD);
    this.primaryTerms = wanted(this.fields.get(PRIMARY_TERM_FIELD)?.numbers, PRIMARY_TERM_FIELD);
  }

  /**
   * A segment that the caller holds, over `bytes` as they stay in `memory`; it takes over the stored documents too.
   *
   * Throws `corrupt_index_exception` when any byte is not as written (of the stored documents: their header and footer);
   * `path` is for that text.
   */
  static open(bytes: Uint8Array, path: string, memory: SegmentMemory, options: SegmentOptions): FlatSegment {
    return FlatSegment.openPlaced(memory.place(bytes), path, memory, options);
  }

  /** As `open`, over bytes that the caller placed and leaves to the segment. */
  static openPlaced(placed: PlacedBytes, path: string, memory: SegmentMemory, options: SegmentOptions): FlatSegment {
    try {
      return new FlatSegment(placed, memory, path, options);
    } catch (error) {
      placed.release();
      options.stored.close();
      if (isShoalError(error)) throw error;
      // Damaged lengths may also surface as a RangeError of a typed array.
      if (error instanceof DamagedBytes || error instanceof RangeError) throw corruptSegment(path, error.message);
      throw error;
    }
  }

  get sizeBytes(): number {
    return this.bytes.length + this.stored.bytes.length;
  }

  /** Of its bytes, those that are in memory. */
  get memoryBytes(): number {
    return this.bytes.length + this.stored.bytes.memoryBytes;
  }

  /** One more holder: a searcher, a merge or a flush that reads the segment beyond this moment. */
  retain(): void {
    this.placed.retain();
  }

  /** One holder less; the last one frees the bytes. */
  release(): void {
    if (!this.placed.release()) return;
    this.stored.close();
    this.filters?.drop();
    for (const { terms } of this.fields.values()) {
      terms?.bounds.drop();
      terms?.columns.drop();
    }
  }

  terms(field: string): TermDictionary | null {
    const terms = this.fields.get(field)?.terms ?? null;
    return terms?.hasPostings === true && terms.size > 0 ? terms : null;
  }

  norms(field: string): Uint8Array | null {
    return this.terms(field) === null ? null : (this.fields.get(field)?.norms ?? null);
  }

  numericColumn(field: string): NumericColumn | null {
    return this.fields.get(field)?.numbers ?? null;
  }

  ordinalColumn(field: string): OrdinalColumn | null {
    const ordinals = this.fields.get(field)?.ordinals ?? null;
    return ordinals !== null && ordinals.valueCount > 0 ? ordinals : null;
  }

  /** Parts of a field as they are kept; for merging. */
  parts(field: string): Readonly<FieldParts> | null {
    return this.fields.get(field) ?? null;
  }

  source(doc: number): Uint8Array {
    return this.stored.source(doc);
  }

  id(doc: number): string {
    return decoder.decode(this.ids.value(this.ids.ordinal(doc)));
  }

  routing(doc: number): string | null {
    const column = this.fields.get(ROUTING_FIELD)?.ordinals ?? null;
    if (column === null || column.start(doc) === column.start(doc + 1)) return null;
    return decoder.decode(column.value(column.ordinal(column.start(doc))));
  }

  meta(doc: number): DocMeta {
    return {
      version: this.versions.value(doc),
      seqNo: this.seqNos.value(doc),
      primaryTerm: this.primaryTerms.value(doc),
    };
  }

  /** The live document with this id, or -1; `live` null when all are. */
  findLive(id: Uint8Array, live: Uint8Array | null): number {
    const terms = this.fields.get(ID_FIELD)?.terms;
    const ordinal = terms?.find(id) ?? -1;
    if (terms === undefined || terms === null || ordinal < 0) return -1;
    const cursor = terms.postings(ordinal);
    for (let doc = cursor.next(); doc !== NO_MORE_DOCS; doc = cursor.next()) {
      if (live === null || isLive(live, doc)) return doc;
    }
    return -1;
  }
}

function readField(from: ContainerReader): FieldParts {
  const flags = from.directory.u8();
  const parts: FieldParts = { terms: null, ordinals: null, numbers: null, norms: null };
  if ((flags & PART_TERMS) !== 0) parts.terms = new FlatTerms(from);
  if ((flags & PART_ORDINALS) !== 0) {
    if (parts.terms === null) throw new DamagedBytes('ordinals without their values');
    parts.ordinals = new FlatOrdinals(from, parts.terms);
  }
  if ((flags & PART_NUMBERS) !== 0) parts.numbers = readNumberColumn(from);
  if ((flags & PART_NORMS) !== 0) parts.norms = from.section();
  return parts;
}

/** Bit `doc` of a live-docs bitset. */
export function isLive(live: Uint8Array, doc: number): boolean {
  return ((live[doc >>> 3] as number) & (1 << (doc & 7))) !== 0;
}
