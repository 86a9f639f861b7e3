/**
 * The segment being written: documents in, one finished segment out.
 *
 * Typed arrays and one table of terms a field; a posting or a document costs numbers only. Documents that fail half
 * way keep their ordinal and are marked dead by the owner, as do replaced ones.
 */
import type { Analyzer } from '@shoal/analysis';
import { assert, ByteSink, illegalArgument } from '@shoal/core';
import type { FieldMapping } from '@shoal/schema';
import { type HashSecret, OPEN_SECRET } from '../../bytes/hash-secret.ts';
import type { PieceSource } from '../../bytes/piece-pool.ts';
import type { TermEncoding } from '../../bytes/term-table.ts';
import type { DocumentValues, ParsedDocument } from '../../document/parsed-document.ts';
import { completionTerms } from '../../field-types/completion/completion-keys.ts';
import { CompletionValue } from '../../field-types/completion/completion-value.ts';
import { indexAnalyzer } from '../../field-types/contract/field-analyzer.ts';
import { immenseTerm, isImmense } from '../../field-types/contract/immense-term.ts';
import {
  ComposedValue,
  type IndexedValue,
  TERM_BYTES_MAX,
  TextSpan,
} from '../../field-types/contract/indexed-value.ts';
import { fieldType } from '../../field-types/field-types.ts';
import { ShapeValue } from '../../field-types/geo-shape/shape-value.ts';
import { countTokens } from '../../field-types/token-count/token-count.ts';
import { ContainerBytes } from '../../format/container/container-bytes.ts';
import { ContainerWriter } from '../../format/container/container-writer.ts';
import { FlatSegment } from '../../format/flat-segment.ts';
import {
  FIELD_NAMES_FIELD,
  ID_FIELD,
  NESTED_PATH_FIELD,
  PRIMARY_TERM_FIELD,
  ROUTING_FIELD,
  SEQ_NO_FIELD,
  VERSION_FIELD,
} from '../../format/metadata-fields.ts';
import { PartListWriter } from '../../format/parts/part-list-writer.ts';
import type { PostingsShape } from '../../format/postings/written-postings.ts';
import type { DocMeta } from '../../format/reader/segment-reader.ts';
import type { StoredCodec } from '../../format/stored/stored-block.ts';
import type { IndexingMemory } from '../../memory/indexing-memory.ts';
import { PLAIN_MEMORY, type SegmentMemory } from '../../memory/segment-memory.ts';
import { StoredBuffer } from '../stored/stored-buffer.ts';
import { DOCS_ONLY, type FieldBuffer, fieldBuffer, Lengths } from './field-buffer.ts';
import { type InvertedBuffer, PlainInvertedBuffer } from './inverted-buffer.ts';
import { KernelInvertedBuffer } from './kernel-inverted-buffer.ts';
import { NumberColumnBuffer } from './number-column-buffer.ts';
import { sealField } from './seal-field.ts';
import { ShapeBuffer } from './shape-buffer.ts';

/** Uncompressed documents of one buffer, which their owner looks at every few operations only. */
const RAW_BYTES_MAX = 1024 * 1024 * 1024;

/** Most fields that keys of objects make in one segment: each has buffers of its own. */
const KEYED_FIELDS_MAX = 10_000;

/** What a sealed segment takes of the memory that its terms and numbers took, at most nearly always. */
const SEALED_SHARE = 0.6;

/** Nested documents are kept in the source of the one around them. */
const NO_SOURCE = new Uint8Array(0);

/** Finds the analyzer that a text field names, or the normalizer of a keyword field. */
export type AnalyzerLookup = (name: string, kind: 'analyzer' | 'normalizer') => Analyzer;

export class SegmentBuffer {
  private readonly fields = new Map<string, FieldBuffer>();
  private readonly documents: StoredBuffer;
  private readonly analyzers: AnalyzerLookup;
  private readonly indexing: IndexingMemory | null;
  private readonly ids: FieldBuffer;
  private readonly routings: FieldBuffer;
  private readonly fieldNames: FieldBuffer;
  /** Made by the first nested document. */
  private nestedPaths: FieldBuffer | null = null;
  /** Nested documents in front of a document that has any. */
  private readonly nestedCounts = new Map<number, number>();
  private readonly seqNos = new NumberColumnBuffer('long');
  private readonly documentVersions = new NumberColumnBuffer('long');
  private readonly primaryTerms = new NumberColumnBuffer('long');
  private readonly secret: HashSecret;
  private hasRouting = false;
  private hasFieldNames = false;
  private keyedFields = 0;
  docCount = 0;

  /** `indexing`: memory of the terms; null: plain arrays. `pieces`: pool of the buffers of stored documents. */
  constructor(
    analyzers: AnalyzerLookup,
    codec: StoredCodec = 'lz4',
    indexing: IndexingMemory | null = null,
    pieces: PieceSource | null = null,
    secret: HashSecret = OPEN_SECRET,
  ) {
    this.secret = secret;
    this.analyzers = analyzers;
    this.indexing = indexing;
    this.ids = fieldBuffer({ inverted: this.inverted('utf8', DOCS_ONLY), hasOrdinals: true, hasFilter: true });
    this.routings = fieldBuffer({ inverted: this.inverted('utf8', DOCS_ONLY), hasOrdinals: true });
    this.fieldNames = fieldBuffer({ inverted: this.inverted('utf8', DOCS_ONLY) });
    this.documents = new StoredBuffer(codec, indexing, pieces);
  }

  private inverted(encoding: TermEncoding, shape: PostingsShape): InvertedBuffer {
    return this.indexing === null
      ? new PlainInvertedBuffer(encoding, shape, this.secret)
      : new KernelInvertedBuffer(encoding, shape, this.indexing);
  }

  /** Gives its memory back, when nobody reads its documents any more. */
  release(): void {
    const { ids, routings, fieldNames, nestedPaths } = this;
    for (const field of [ids, routings, fieldNames, nestedPaths, ...this.fields.values()]) field?.inverted?.release();
  }

  /** Rough memory of what was added. */
  get sizeBytes(): number {
    let sum =
      this.documents.sizeBytes + (this.ids.inverted?.sizeBytes ?? 0) + (this.fieldNames.inverted?.sizeBytes ?? 0);
    sum += this.seqNos.sizeBytes + this.documentVersions.sizeBytes + this.primaryTerms.sizeBytes;
    for (const field of this.fields.values()) sum += sizeOf(field);
    return sum;
  }

  /** False when the document must go into the next segment. */
  hasRoomFor(sourceBytes: number): boolean {
    return this.documents.rawBytes + sourceBytes < RAW_BYTES_MAX;
  }

  /**
   * Adds a document behind its nested ones, and returns its ordinal. `stored` is what is kept of it. When it throws, the ordinals
   * from the first nested one up to `docCount - 1` are taken by documents to be marked dead.
   */
  add(id: string, routing: string | null, stored: Uint8Array, meta: DocMeta, document: ParsedDocument): number {
    this.indexing?.checkRoom();
    assert(
      document.fields.length === document.values.length,
      `${document.fields.length} fields, ${document.values.length} values`,
    );
    for (const { path, ...nested } of document.nested) {
      const doc = this.addValues(id, NO_SOURCE, meta, nested, document.isAccepted);
      this.nestedPaths ??= fieldBuffer({ inverted: this.inverted('utf8', DOCS_ONLY) });
      this.nestedPaths.inverted?.add(doc, path, 0);
    }
    const doc = this.addValues(id, stored, meta, document, document.isAccepted);
    if (document.nested.length > 0) this.nestedCounts.set(doc, document.nested.length);
    if (routing !== null) {
      this.routings.inverted?.add(doc, routing, 0);
      this.hasRouting = true;
    }
    return doc;
  }

  /** First of the nested documents in front of a document; the document itself where it has none. */
  blockStart(doc: number): number {
    return doc - (this.nestedCounts.get(doc) ?? 0);
  }

  private addValues(
    id: string,
    stored: Uint8Array,
    meta: DocMeta,
    document: DocumentValues,
    isAccepted: boolean,
  ): number {
    const doc = this.docCount++;
    // What every segment must have a value of comes first: an analyzer that fails leaves a whole, dead document.
    this.documents.add(stored);
    this.seqNos.add(doc, meta.seqNo);
    this.documentVersions.add(doc, meta.version);
    this.primaryTerms.add(doc, meta.primaryTerm);
    this.ids.inverted?.add(doc, id, 0);
    for (let i = 0; i < document.fields.length; i++) {
      this.addValue(doc, document, i, isAccepted);
    }
    this.endDocument(doc, document);
    return doc;
  }

  private addValue(doc: number, { fields, values }: DocumentValues, at: number, isAccepted: boolean): void {
    const mapping = fields[at] as FieldMapping;
    const value = values[at] as IndexedValue;
    let field = this.fields.get(mapping.path);
    if (field === undefined) {
      field = this.newField(mapping);
      this.fields.set(mapping.path, field);
    }
    if (field.doc !== doc) {
      field.doc = doc;
      field.position = -1;
      field.length = 0;
      if (field.nameNumber < 0) field.nameNumber = this.fieldNames.inverted?.add(doc, mapping.path, 0) ?? -1;
      else this.fieldNames.inverted?.addKnown(doc, field.nameNumber, 0);
      this.hasFieldNames = true;
    } else if (field.analyzer !== null) {
      field.position += field.positionGap;
    }
    const { inverted, numbers } = field;
    if (typeof value === 'string' || value instanceof TextSpan) {
      if (field.counter !== null) numbers?.add(doc, countTokens(field.counter, String(value), mapping.countsGaps));
      else if (field.analyzer !== null) this.addText(doc, field, value, isAccepted ? null : mapping.path);
      else inverted?.add(doc, field.normalizer === null ? String(value) : field.normalizer.normalize(String(value)), 0);
    } else if (typeof value === 'boolean') {
      inverted?.add(doc, value ? 'T' : 'F', 0);
      numbers?.add(doc, value ? 1 : 0);
    } else if (value instanceof CompletionValue) {
      this.addCompletion(doc, field, { mapping, isAccepted }, value);
    } else if (value instanceof ShapeValue) {
      field.shapes?.add(doc, value.words);
    } else if (value instanceof ComposedValue) {
      if (typeof value.indexed === 'string') inverted?.add(doc, value.indexed, 0);
      else numbers?.add(doc, value.indexed);
    } else {
      numbers?.add(doc, value);
    }
    if (field.analyzer === null) field.length++;
  }

  /** @param refusedAs name of the field in the refusal of a term that is too long; null: such terms are left out */
  private addText(doc: number, field: FieldBuffer, value: string | TextSpan, refusedAs: string | null): void {
    const { inverted, analyzer, countsOverlaps } = field;
    if (inverted === null || analyzer === null) return;
    if (analyzer.asciiWords != null && analyzer.asciiWords.maxTokenLength <= TERM_BYTES_MAX) {
      const words = inverted.addAsciiText(doc, value, analyzer.asciiWords, field.position + 1);
      if (words >= 0) {
        field.position += words;
        field.length += words;
        return;
      }
    }
    let position = field.position;
    let length = field.length;
    const trailing = analyzer.analyze(String(value), (term, _start, _end, increment) => {
      position += increment;
      if (increment > 0 || countsOverlaps) length++;
      if (isImmense(term)) {
        if (refusedAs !== null) throw immenseTerm(refusedAs, term);
        return;
      }
      inverted.add(doc, term, Math.max(position, 0));
    });
    field.position = position + trailing;
    field.length = length;
  }

  /** One term for each input, way to read it, and context. */
  private addCompletion(
    doc: number,
    { inverted }: FieldBuffer,
    { mapping, isAccepted }: { readonly mapping: FieldMapping; readonly isAccepted: boolean },
    { inputs }: CompletionValue,
  ): void {
    const { completion, path } = mapping;
    assert(completion !== null, `inputs of [${path}], which is no completion field`);
    const analyzer = this.analyzers(mapping.analyzer, 'analyzer');
    for (const input of inputs) {
      for (const term of completionTerms(analyzer, input, completion)) {
        if (!isImmense(term)) inverted?.add(doc, term, 0);
        else if (!isAccepted) throw immenseTerm(path, term);
      }
    }
  }

  private endDocument(doc: number, document: DocumentValues): void {
    for (const mapping of document.fields) {
      if (!mapping.hasNorms) continue;
      const field = this.fields.get(mapping.path);
      const lengths = field?.lengths;
      if (field === undefined || lengths === null || lengths === undefined) continue;
      const isSame = lengths.docs.length > 0 && lengths.docs.at(lengths.docs.length - 1) === doc;
      if (isSame) continue;
      lengths.docs.push(doc);
      lengths.lengths.push(field.length);
    }
  }

  private newField(mapping: FieldMapping): FieldBuffer {
    // A mapping limits its own fields; those of the keys of objects are limited here.
    if (mapping.isKeyed && ++this.keyedFields > KEYED_FIELDS_MAX) {
      throw illegalArgument(
        `Limit of keys [${KEYED_FIELDS_MAX}] of objects in one segment has been exceeded by [${mapping.path}]`,
      );
    }
    const { terms, isAnalyzed, hasOrdinals, numbers, boxes, countsTokens } = fieldType(mapping.kind).parts(mapping);
    assert(terms !== null || !hasOrdinals, `field [${mapping.path}] has a column of terms without terms`);
    const isSearched = terms?.hasPostings === true;
    return fieldBuffer({
      inverted: terms === null ? null : this.inverted(terms.encoding, terms),
      numbers: numbers === null ? null : new NumberColumnBuffer(numbers),
      shapes: boxes === 'shapes' ? new ShapeBuffer() : null,
      hasPoints: boxes === 'points',
      hasOrdinals,
      lengths: isSearched && mapping.hasNorms ? new Lengths() : null,
      analyzer: isAnalyzed ? indexAnalyzer(mapping, this.analyzers(mapping.analyzer, 'analyzer')) : null,
      counter: countsTokens === true ? this.analyzers(mapping.analyzer, 'analyzer') : null,
      normalizer: mapping.normalizer === '' ? null : this.analyzers(mapping.normalizer, 'normalizer'),
      positionGap: mapping.positionIncrementGap,
      countsOverlaps: mapping.similarity.kind === 'BM25' && !mapping.similarity.discountsOverlaps,
    });
  }

  /** The document that was last added with this id, unless it was forgotten; -1 when there is none. */
  findDocument(id: string): number {
    return this.ids.inverted?.lastDocOf(id) ?? -1;
  }

  /** The document `doc`, which was added last with this id, is none; `before` is the one before it, -1 when there is none. */
  forget(id: string, doc: number, before: number): void {
    if (this.findDocument(id) === doc) this.ids.inverted?.setLastDoc(id, before);
  }

  meta(doc: number): DocMeta {
    return {
      seqNo: this.seqNos.valueOf(doc),
      version: this.documentVersions.valueOf(doc),
      primaryTerm: this.primaryTerms.valueOf(doc),
    };
  }

  /** Bytes that are kept of a document that was added, by its ordinal. */
  document(doc: number): Uint8Array {
    return this.documents.document(doc);
  }

  /** Seals the segment at once, and releases the buffer. */
  seal(name: string, memory: SegmentMemory = PLAIN_MEMORY): FlatSegment {
    const steps = this.sealInSteps(name, memory);
    for (;;) {
      const step = steps.next();
      if (step.done !== true) continue;
      this.release();
      return step.value;
    }
  }

  /**
   * The finished segment, held by the caller; yields every millisecond or so. Nothing may be added any more; documents can
   * be read until the end.
   */
  *sealInSteps(name: string, memory: SegmentMemory): Generator<void, FlatSegment> {
    assert(this.docCount > 0, 'a segment without documents');
    const room = (this.sizeBytes - this.documents.sizeBytes) * SEALED_SHARE;
    const container = new ContainerWriter(new ContainerBytes(room, memory.pieces), memory.paging.pageBytes);
    const directory = new ByteSink(1 << 12);
    directory.text(name);
    directory.u32(this.docCount);
    this.documents.finish(container, directory);
    yield;
    const fields: [string, FieldBuffer][] = [
      [ID_FIELD, this.ids],
      [SEQ_NO_FIELD, fieldBuffer({ numbers: this.seqNos })],
      [VERSION_FIELD, fieldBuffer({ numbers: this.documentVersions })],
      [PRIMARY_TERM_FIELD, fieldBuffer({ numbers: this.primaryTerms })],
      ...(this.hasRouting ? ([[ROUTING_FIELD, this.routings]] as const) : []),
      ...(this.hasFieldNames ? ([[FIELD_NAMES_FIELD, this.fieldNames]] as const) : []),
      ...(this.nestedPaths === null ? [] : ([[NESTED_PATH_FIELD, this.nestedPaths]] as const)),
      ...this.fields,
    ].map(([path, field]) => [path as string, field as FieldBuffer]);
    directory.u32(fields.length);
    for (const [path, field] of fields) {
      directory.text(path);
      const parts = new PartListWriter(container);
      // Documents are found by their ids until the segment is finished.
      yield* sealField(field, parts, { docCount: this.docCount, memory, staysSearchable: field === this.ids });
      parts.finish(directory);
    }
    assert(new Set(fields.map(([path]) => path)).size === fields.length, `segment ${name} has a field twice`);
    container.finish(directory.written());
    yield;
    const bytes = yield* container.bytes.takeInSteps();
    return FlatSegment.open(bytes, name, memory, { stored: this.documents.bytes, isTrusted: true });
  }
}

function sizeOf({ inverted, numbers, shapes }: FieldBuffer): number {
  return (inverted?.sizeBytes ?? 0) + (numbers?.sizeBytes ?? 0) + (shapes?.sizeBytes ?? 0);
}
