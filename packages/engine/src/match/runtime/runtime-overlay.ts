/**
 * A segment with runtime fields over it: for one search, and for the documents that the search may look at.
 *
 * The values of those documents are put into a small segment in memory, so that queries, sorts and aggregations find terms and
 * columns as of any other field. It is made in steps before the search runs; what nobody foresaw, when it is asked for.
 */
import { assert, illegalArgument, runSteps, StepMeter, type Steps } from '@shoal/core';
import type { BoxTree } from '@shoal/geo';
import type { FieldMapping } from '@shoal/schema';
import { FIELD_NAMES_FIELD } from '../../format/metadata-fields.ts';
import type {
  DocMeta,
  NumericColumn,
  OrdinalColumn,
  SegmentReader,
  SegmentView,
  TermDictionary,
  WantedFielddata,
} from '../../format/reader/segment-reader.ts';
import type { ShapeColumn } from '../../format/reader/shape-column.ts';
import { PLAIN_MEMORY } from '../../memory/segment-memory.ts';
import { SegmentBuffer } from '../../write/buffer/segment-buffer.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { runtimeReader } from '../scripts/runtime-values.ts';
import type { DocIterator } from '../weight/doc-iterator.ts';
import { DocSubset } from './doc-subset.ts';
import { OverlayNumbers, OverlayOrdinals, OverlayTerms } from './overlay-columns.ts';

/** Microseconds that a script costs, about. */
const SCRIPT_UNITS = 5;
const NO_SOURCE = new Uint8Array(0);
const NO_META: DocMeta = { version: 1, seqNo: 0, primaryTerm: 1 };

/** Values of one field; `segment` null: no document has any. */
interface MadeField {
  readonly segment: SegmentReader | null;
  readonly docs: DocSubset;
}

export class OverlaySegment implements SegmentReader {
  readonly name: string;
  readonly docCount: number;
  readonly #ctx: CompileContext;
  readonly #view: SegmentView;
  readonly #base: SegmentReader;
  readonly #made = new Map<string, MadeField>();
  #docs: DocSubset;
  /** Values that are being made; null between fields. */
  #making: SegmentBuffer | null = null;

  /**
   * @param ctx of the segments themselves
   * @param docs ascending; of those that the search may look at
   */
  constructor(ctx: CompileContext, view: SegmentView, docs: Uint32Array) {
    this.#ctx = ctx;
    this.#view = view;
    this.#base = view.segment;
    this.name = view.segment.name;
    this.docCount = view.segment.docCount;
    this.#docs = new DocSubset(docs, this.docCount);
  }

  /** Fields that are made from now on have values for these documents only. */
  narrow(docs: Uint32Array): void {
    this.#docs = new DocSubset(docs, this.docCount);
  }

  /** Makes the values of a field, where they are not there. `isOver`: the search ends, values may be missing. */
  *prepare(field: FieldMapping, isOver: () => boolean): Steps<void> {
    if (!this.#made.has(field.path)) this.#made.set(field.path, yield* this.#make(field, isOver));
  }

  /** Memory of the values made and of their documents, about. */
  get madeBytes(): number {
    let sum = (this.#making?.sizeBytes ?? 0) + this.#docs.docs.length * 4;
    for (const { segment, docs } of this.#made.values()) sum += (segment?.sizeBytes ?? 0) + docs.docs.length * 4;
    return sum;
  }

  *#make(field: FieldMapping, isOver: () => boolean): Steps<MadeField> {
    const docs = this.#docs;
    const read = runtimeReader(this.#ctx, this.#view, field);
    const buffer = new SegmentBuffer((name) => {
      throw illegalArgument(`analyzer [${name}] not found`);
    });
    this.#making = buffer;
    const meter = new StepMeter();
    for (const doc of docs.docs) {
      const values = isOver() ? [] : read(doc);
      const fields = values.map(() => field);
      buffer.add('', null, NO_SOURCE, NO_META, { fields, values, nested: [], isAccepted: true });
      if (meter.isDue(SCRIPT_UNITS)) yield;
    }
    assert(buffer.docCount === docs.docs.length, `${buffer.docCount} of ${docs.docs.length} documents have values`);
    const segment = buffer.docCount === 0 ? null : yield* buffer.sealInSteps('_runtime', PLAIN_MEMORY);
    this.#making = null;
    return { segment, docs };
  }

  #field(name: string): MadeField | null {
    const field = this.#ctx.mapping.runtime.get(name);
    if (field === undefined) return null;
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    runSteps(this.prepare(field, () => false));
    const made = this.#made.get(name);
    assert(made !== undefined, `no values of [${name}] were made`);
    return made;
  }

  terms(field: string): TermDictionary | null {
    const made = this.#field(field);
    if (made === null) return this.#base.terms(field);
    const terms = made.segment?.terms(field) ?? null;
    return terms && new OverlayTerms(terms, made.docs);
  }

  norms(field: string): Uint8Array | null {
    return this.#ctx.mapping.runtime.has(field) ? null : this.#base.norms(field);
  }

  numericColumn(field: string): NumericColumn | null {
    const made = this.#field(field);
    if (made === null) return this.#base.numericColumn(field);
    const column = made.segment?.numericColumn(field) ?? null;
    return column && new OverlayNumbers(column, made.docs);
  }

  ordinalColumn(field: string): OrdinalColumn | null {
    const made = this.#field(field);
    if (made === null) return this.#base.ordinalColumn(field);
    const column = made.segment?.ordinalColumn(field) ?? null;
    return column && new OverlayOrdinals(column, made.docs);
  }

  shapes(field: string): ShapeColumn | null {
    return this.#ctx.mapping.runtime.has(field) ? null : this.#base.shapes(field);
  }

  boxes(field: string): BoxTree | null {
    return this.#ctx.mapping.runtime.has(field) ? null : this.#base.boxes(field);
  }

  writtenOrdinals(field: string): OrdinalColumn | null {
    return this.#ctx.mapping.runtime.has(field) ? this.ordinalColumn(field) : this.#base.writtenOrdinals(field);
  }

  /** Documents with a value of a runtime field. */
  docsWith(field: string): DocIterator | null {
    const made = this.#field(field);
    const names = made?.segment?.terms(FIELD_NAMES_FIELD) ?? null;
    return made === null || names === null ? null : new OverlayTerms(names, made.docs).postings(0);
  }

  loadFielddata(field: string, wanted: WantedFielddata, meter: StepMeter): Steps<void> {
    return this.#base.loadFielddata(field, wanted, meter);
  }

  pin(): void {
    this.#base.pin();
  }

  unpin(): void {
    this.#base.unpin();
  }

  get sizeBytes(): number {
    return this.#base.sizeBytes;
  }

  source(doc: number): Uint8Array {
    return this.#base.source(doc);
  }

  document(doc: number): Uint8Array {
    return this.#base.document(doc);
  }

  id(doc: number): string {
    return this.#base.id(doc);
  }

  routing(doc: number): string | null {
    return this.#base.routing(doc);
  }

  meta(doc: number): DocMeta {
    return this.#base.meta(doc);
  }
}

/** Documents of a segment with a value of a runtime field; null where none was made. */
export function docsWithRuntimeField({ segment }: SegmentView, field: string): DocIterator | null {
  return segment instanceof OverlaySegment ? segment.docsWith(field) : null;
}
