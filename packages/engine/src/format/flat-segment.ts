/**
 * A finished segment: the same for one made by a refresh and one in a file.
 *
 * Only the directory stays in memory. Sections are read and verified when they are first asked for, and may be dropped again
 * as soon as nobody uses them.
 */

import { assert, DamagedBytes, isShoalError, type StepMeter, type Steps } from '@shoal/core';
import type { BoxTree } from '@shoal/geo';
import type { File } from '@shoal/runtime';
import type { FieldDiskBytes } from '@shoal/shard-api';
import type { HashSecret } from '../bytes/hash-secret.ts';
import type { HashedTerm } from '../bytes/hashed-term.ts';
import type { SegmentFilters } from '../memory/filter-cache.ts';
import type { KernelMemory } from '../memory/kernel-memory.ts';
import type { PlacedBytes } from '../memory/placed-bytes.ts';
import type { SegmentMemory } from '../memory/segment-memory.ts';
import type { SegmentUnions } from '../memory/union-cache.ts';
import { ContainerReader } from './container/container-reader.ts';
import { corruptSegment, type SectionRef } from './container/section-ref.ts';
import { SegmentBytes } from './container/segment-bytes.ts';
import { SegmentSections } from './container/segment-sections.ts';
import {
  ID_FIELD,
  NESTED_PATH_FIELD,
  PRIMARY_TERM_FIELD,
  ROUTING_FIELD,
  SEQ_NO_FIELD,
  SOURCE_FIELD,
  VERSION_FIELD,
} from './metadata-fields.ts';
import { readFieldParts } from './parts/read-field-parts.ts';
import type { SegmentField } from './parts/segment-field.ts';
import {
  type DocMeta,
  NO_MORE_DOCS,
  type NumericColumn,
  type OrdinalColumn,
  type SegmentReader,
  type TermDictionary,
  type WantedFielddata,
} from './reader/segment-reader.ts';
import type { ShapeColumn } from './reader/shape-column.ts';
import { TextFielddata } from './segment-fielddata.ts';
import { sourceOf } from './stored/stored-apart.ts';
import type { StoredBytes } from './stored/stored-bytes.ts';
import { StoredDocuments } from './stored/stored-documents.ts';

export interface SegmentOptions {
  readonly stored: StoredBytes;
  /** Made by this process a moment ago: checksums need not be computed again. */
  readonly isTrusted: boolean;
}

/** Files up to this size are verified when they are opened: that costs less than to remember that they were not. */
const SMALL_BYTES = 64 * 1024;

/** Bytes that a merge has in memory for each document: its new number and its norm, each twice, and whether it has a term. */
const MERGED_DOC_BYTES = 16;
/** Further ones where documents are sorted: their order twice, their source, their sort values. */
const SORTED_DOC_BYTES = 32;

const decoder = new TextDecoder();

export class FlatSegment implements SegmentReader {
  readonly name: string;
  readonly docCount: number;
  /** The whole container but for the stored documents. */
  readonly container: SegmentBytes;
  /** Memory into which sections are copied for kernels. */
  readonly kernels: KernelMemory | null;
  /** Cached matches of filters in this segment. */
  readonly filters: SegmentFilters | null;
  /** Cached common numbers of terms, of which this is the first segment. */
  readonly unions: SegmentUnions | null;
  /** Values by document of text fields. */
  readonly fielddata: TextFielddata;
  /** Secret of the thread's hash tables. */
  readonly hashSecret: HashSecret;
  /** Fields in the order of the directory. */
  readonly fieldNames: readonly string[];
  readonly stored: StoredDocuments;
  /** Every checksum was right when the segment was opened, or it was just written. */
  isVerified = false;
  /** References to all sections of the container. */
  private readonly sectionRefs: readonly SectionRef[];
  private readonly sections: SegmentSections;
  private readonly fields = new Map<string, SegmentField>();
  private readonly ids: SegmentField;

  private constructor(
    container: SegmentBytes,
    memory: SegmentMemory,
    stored: StoredBytes | StoredDocuments,
    wholeBytesMax: number = memory.paging.wholeBytesMax,
  ) {
    this.container = container;
    this.kernels = memory.kernels;
    this.sections = new SegmentSections(container, memory.sections, wholeBytesMax);
    const from = new ContainerReader(container);
    this.name = from.directory.text();
    this.docCount = from.directory.u32();
    this.stored = StoredDocuments.read(from, this.sections, this.docCount, stored, memory.blocks);
    const fieldCount = from.directory.u32();
    const opening = { from, sections: this.sections, docCount: this.docCount };
    for (let i = 0; i < fieldCount; i++) {
      const name = from.directory.text();
      if (this.fields.has(name)) throw new DamagedBytes(`field ${name} stands twice`);
      this.fields.set(name, readFieldParts(opening, name));
    }
    from.finish();
    this.sectionRefs = from.refs;
    assert(this.fields.size === fieldCount, `${this.fields.size} of ${fieldCount} fields were read`);
    this.fieldNames = [...this.fields.keys()];
    for (const name of [SEQ_NO_FIELD, VERSION_FIELD, PRIMARY_TERM_FIELD]) {
      if (!this.fields.get(name)?.numbersGroup) throw new DamagedBytes(`field ${name} is missing`);
    }
    const ids = this.fields.get(ID_FIELD);
    if (!ids?.ordinalsGroup) throw new DamagedBytes(`field ${ID_FIELD} is missing`);
    this.ids = ids;
    this.filters = memory.filters?.ofSegment() ?? null;
    this.unions = memory.unions?.ofSegment() ?? null;
    this.fielddata = new TextFielddata(memory.fielddata);
    this.hashSecret = memory.hashSecret;
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

  /** Opens a segment over bytes that the caller placed and hands over. */
  static openPlaced(placed: PlacedBytes, path: string, memory: SegmentMemory, options: SegmentOptions): FlatSegment {
    return openWhole(SegmentBytes.ofMemory(path, placed), memory, options);
  }

  /** Opens a file: a small one is verified at once, the sections of others when they are first used. */
  static openFile(container: SegmentBytes, memory: SegmentMemory, stored: StoredBytes): FlatSegment {
    return openWhole(container, memory, { stored, isTrusted: container.length > SMALL_BYTES });
  }

  /** For `openWhole`. */
  static over(container: SegmentBytes, memory: SegmentMemory, stored: StoredBytes): FlatSegment {
    return new FlatSegment(container, memory, stored);
  }

  /** The same segment for a merge, which reads all of it once and drops what it has read. Good as long as this one is held. */
  asMergeInput(memory: SegmentMemory): FlatSegment {
    return new FlatSegment(this.container, memory, this.stored, Number.POSITIVE_INFINITY);
  }

  /** Bytes of the whole container, without verification. */
  get bytes(): Uint8Array {
    return this.container.read(0, this.container.length);
  }

  get sizeBytes(): number {
    return this.container.length + this.stored.bytes.length;
  }

  /** Bytes of the segment that are in memory. */
  get memoryBytes(): number {
    return this.container.memoryBytes + this.sections.loadedBytes + this.stored.bytes.memoryBytes;
  }

  /** Length of the longest section, in bytes. */
  get longestSectionBytes(): number {
    return this.sectionRefs.reduce((longest, { length }) => Math.max(longest, length), 0);
  }

  /** What a merge has in memory of this segment, beside what it streams, in bytes: it merges one field at a time. */
  mergeBytes(isSorted: boolean): number {
    let widest = 0;
    for (const field of this.fields.values()) widest = Math.max(widest, field.mergeBytes);
    return this.docCount * (MERGED_DOC_BYTES + (isSorted ? SORTED_DOC_BYTES : 0)) + widest;
  }

  /** A request begins that may keep what it reads of the segment until `unpin`. */
  pin(): void {
    this.sections.pin();
  }

  unpin(): void {
    this.sections.unpin();
  }

  /** Evicts every section that is not in use. */
  dropSections(): void {
    this.sections.dropUnused();
  }

  /** Every section's content against its checksum, as the bytes of each step. Throws `corrupt_index_exception`. */
  *verify(): Generator<number, void> {
    for (const ref of this.sectionRefs) yield* this.container.verify(ref);
  }

  /** Moves the segment to `file`, which has the whole container. The file is closed with the last holder. */
  moveTo(path: string, file: File, onClose: () => void): void {
    assert(this.container.isInMemory, `segment ${this.name} moves to ${path} from another file`);
    this.container.moveTo(path, file, onClose);
    this.sections.dropViews();
  }

  /** One more holder: a searcher, a merge or a flush that reads the segment beyond this moment. */
  retain(): void {
    this.container.retain();
  }

  /** One holder less; the last one frees the bytes. */
  release(): void {
    if (!this.container.release()) return;
    this.stored.close();
    this.filters?.drop();
    this.unions?.drop();
    this.fielddata.drop();
    this.sections.drop();
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
    return this.writtenOrdinals(field) ?? this.fielddata.column(this, field);
  }

  *loadFielddata(field: string, wanted: WantedFielddata, meter: StepMeter): Steps<void> {
    const isReplaced = yield* this.fielddata.load(this, field, wanted, meter);
    // Common numbers over segments count the terms that were there.
    if (isReplaced) this.unions?.dropField(field);
  }

  writtenOrdinals(field: string): OrdinalColumn | null {
    const ordinals = this.fields.get(field)?.ordinals ?? null;
    return ordinals !== null && ordinals.valueCount > 0 ? ordinals : null;
  }

  shapes(field: string): ShapeColumn | null {
    return this.fields.get(field)?.shapes ?? null;
  }

  boxes(field: string): BoxTree | null {
    return this.fields.get(field)?.boxes ?? null;
  }

  /** Bytes of the sections in the files by field; the stored documents count as those of `_source`. */
  fieldBytes(): readonly FieldDiskBytes[] {
    const stored = { invertedIndex: 0, docValues: 0, points: 0, norms: 0, storedFields: this.stored.lengthBytes };
    const fields = [...this.fields].map(([name, field]) => ({ name, storedFields: 0, ...field.lengthBytes }));
    return [{ name: SOURCE_FIELD, ...stored }, ...fields];
  }

  /** Parts of a field, for merges and kernels. */
  parts(field: string): SegmentField | null {
    return this.fields.get(field) ?? null;
  }

  document(doc: number): Uint8Array {
    return this.stored.document(doc);
  }

  source(doc: number): Uint8Array {
    return sourceOf(this.document(doc));
  }

  id(doc: number): string {
    const id = this.ids.onlyValue(doc);
    assert(id !== null, `segment ${this.name} has no ids`);
    return decoder.decode(id);
  }

  routing(doc: number): string | null {
    const column = this.fields.get(ROUTING_FIELD)?.ordinals ?? null;
    if (column === null || column.start(doc) === column.start(doc + 1)) return null;
    return decoder.decode(column.value(column.ordinal(column.start(doc))));
  }

  meta(doc: number): DocMeta {
    return {
      version: this.numberOf(VERSION_FIELD, doc),
      seqNo: this.numberOf(SEQ_NO_FIELD, doc),
      primaryTerm: this.numberOf(PRIMARY_TERM_FIELD, doc),
    };
  }

  private numberOf(field: string, doc: number): number {
    const column = this.fields.get(field)?.numbers ?? null;
    assert(column !== null, `segment ${this.name} has no ${field}`);
    return column.value(doc);
  }

  /** Documents that are nested in no other, as bits; null when none is. */
  rootDocs(): Uint8Array | null {
    const paths = this.terms(NESTED_PATH_FIELD);
    if (paths === null) return null;
    const roots = allDocs(this.docCount);
    for (let ordinal = 0; ordinal < paths.size; ordinal++) {
      const cursor = paths.postings(ordinal);
      for (let doc = cursor.next(); doc !== NO_MORE_DOCS; doc = cursor.next()) clearDoc(roots, doc);
    }
    return roots;
  }

  /**
   * The live document with this id, or -1.
   *
   * @param live null when all are
   * @param roots the documents that are nested in no other: those have the same id; null when all are
   */
  findLive(id: HashedTerm, live: Uint8Array | null, roots: Uint8Array | null): number {
    const { terms, filter } = this.ids;
    if (terms === null || filter?.mayHave(id) === false) return -1;
    const ordinal = terms.find(id.bytes);
    if (ordinal < 0) return -1;
    const cursor = terms.postings(ordinal);
    for (let doc = cursor.next(); doc !== NO_MORE_DOCS; doc = cursor.next()) {
      if ((live === null || isLive(live, doc)) && (roots === null || isLive(roots, doc))) return doc;
    }
    return -1;
  }
}

function openWhole(container: SegmentBytes, memory: SegmentMemory, { stored, isTrusted }: SegmentOptions): FlatSegment {
  try {
    const segment = FlatSegment.over(container, memory, stored);
    if (!isTrusted) for (const _ of segment.verify());
    segment.isVerified = !isTrusted || container.isInMemory;
    return segment;
  } catch (error) {
    container.release();
    stored.close();
    if (isShoalError(error)) throw error;
    // Damaged lengths may also surface as a RangeError of a typed array.
    if (error instanceof DamagedBytes || error instanceof RangeError)
      throw corruptSegment(container.path, error.message);
    throw error;
  }
}

/** Bits of all documents; those behind the last stay clear, so that counting needs no care. */
export function allDocs(docCount: number): Uint8Array {
  const bits = new Uint8Array((docCount + 7) >>> 3).fill(0xff);
  if ((docCount & 7) !== 0) bits[bits.length - 1] = (1 << (docCount & 7)) - 1;
  return bits;
}

export function clearDoc(bits: Uint8Array, doc: number): void {
  bits[doc >>> 3] = (bits[doc >>> 3] as number) & ~(1 << (doc & 7));
}

/** Bit `doc` of a live-docs bitset. */
export function isLive(live: Uint8Array, doc: number): boolean {
  return ((live[doc >>> 3] as number) & (1 << (doc & 7))) !== 0;
}
