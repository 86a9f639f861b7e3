/**
 * Terms of one field while documents come in: a stream of (term, position) entries, inverted only when it is sealed.
 *
 * Appending a number a token and counting once at the end is several times faster than a list a term, and leaves no
 * object a posting on the heap.
 */
import { assert } from '@shoal/core';
import { GrowableU32 } from '../bytes/growable-arrays.ts';
import { type TermEncoding, TermTable } from '../bytes/term-table.ts';
import type { PostingsShape, PostingsWriter } from './postings-writer.ts';
import { writeInverted } from './write-inverted.ts';

/** Tokens between two yields of a seal: a millisecond of work or less. */
const TOKENS_PER_STEP = 32_768;

export class InvertedBuffer {
  readonly encoding: TermEncoding;
  readonly shape: PostingsShape;
  private readonly terms = new TermTable();
  private readonly tokens = new GrowableU32();
  private readonly tokenPositions: GrowableU32 | null;
  /** Documents with the field, and where their tokens start. */
  private readonly docs = new GrowableU32();
  private readonly starts = new GrowableU32();
  private lastDoc = -1;

  constructor(encoding: TermEncoding, shape: PostingsShape) {
    this.encoding = encoding;
    this.shape = shape;
    this.tokenPositions = shape.hasPositions ? new GrowableU32() : null;
  }

  get sizeBytes(): number {
    return (
      this.terms.sizeBytes + this.tokens.sizeBytes + (this.tokenPositions?.sizeBytes ?? 0) + this.docs.sizeBytes * 2
    );
  }

  /** Docs never descend; positions ascend within a document. */
  add(doc: number, term: string, position: number): void {
    this.addId(doc, this.terms.add(term, this.encoding), position);
  }

  /** The ASCII term `text[from..to)`, its capitals lowered when `lowercases`. */
  addAscii(doc: number, text: string, from: number, to: number, lowercases: boolean, position: number): void {
    this.addId(doc, this.terms.addAscii(text, from, to, lowercases), position);
  }

  private addId(doc: number, id: number, position: number): void {
    if (doc !== this.lastDoc) {
      this.docs.push(doc);
      this.starts.push(this.tokens.length);
      this.lastDoc = doc;
    }
    this.tokens.push(id);
    this.tokenPositions?.push(position);
  }

  /** Inverts the stream, with a yield every millisecond or so. The buffer is not used afterwards. */
  *seal(): Generator<void, InvertedSeal> {
    const order = yield* this.terms.sorted();
    yield;
    const rankOf = new Uint32Array(order.length);
    for (let rank = 0; rank < order.length; rank++) rankOf[order[rank] as number] = rank;
    return yield* this.invert(order, rankOf);
  }

  private *invert(order: Uint32Array, rankOf: Uint32Array): Generator<void, InvertedSeal> {
    const { tokens, docs, starts } = this;
    const total = tokens.length;
    starts.push(total);
    const cells = new Uint32Array(order.length + 1);
    for (let i = 0; i < total; i++) {
      const rank = rankOf[tokens.at(i)] as number;
      cells[rank + 1] = (cells[rank + 1] as number) + 1;
      if (i % TOKENS_PER_STEP === TOKENS_PER_STEP - 1) yield;
    }
    for (let rank = 0; rank < order.length; rank++)
      cells[rank + 1] = (cells[rank + 1] as number) + (cells[rank] as number);
    const next = cells.slice();
    const tokenDocs = new Uint32Array(total);
    const positions = this.tokenPositions === null ? null : new Uint32Array(total);
    for (let d = 0; d < docs.length; d++) {
      const doc = docs.at(d);
      const end = starts.at(d + 1);
      for (let i = starts.at(d); i < end; i++) {
        const rank = rankOf[tokens.at(i)] as number;
        const at = next[rank] as number;
        next[rank] = at + 1;
        tokenDocs[at] = doc;
        if (positions !== null) positions[at] = this.tokenPositions?.at(i) ?? 0;
        if (i % TOKENS_PER_STEP === TOKENS_PER_STEP - 1) yield;
      }
    }
    return new InvertedSeal(this.shape, { table: this.terms, order }, { cells, tokenDocs, positions }, docs.length);
  }
}

/** An inverted field: entries of term r stand at cells[r] .. cells[r + 1] - 1, docs ascending. */
/** Terms of a table by rank. */
interface RankedTerms {
  readonly table: TermTable;
  readonly order: Uint32Array;
}

/** Entries of the term of rank r stand at cells[r] .. cells[r + 1] - 1, docs ascending. */
interface InvertedEntries {
  readonly cells: Uint32Array;
  readonly tokenDocs: Uint32Array;
  readonly positions: Uint32Array | null;
}

/** An inverted field. */
class InvertedSeal {
  readonly shape: PostingsShape;
  readonly termCount: number;
  readonly docCount: number;
  private readonly terms: RankedTerms;
  private readonly cells: Uint32Array;
  private readonly tokenDocs: Uint32Array;
  private readonly positions: Uint32Array | null;

  constructor(shape: PostingsShape, terms: RankedTerms, entries: InvertedEntries, docCount: number) {
    this.shape = shape;
    this.terms = terms;
    this.termCount = terms.order.length;
    this.cells = entries.cells;
    this.tokenDocs = entries.tokenDocs;
    this.positions = entries.positions;
    this.docCount = docCount;
  }

  /** Feeds a postings writer with all terms. `norms`: of each document of the segment, where the field has them. */
  *writePostings(norms: Uint8Array | null): Generator<void, PostingsWriter> {
    const { shape, cells, positions } = this;
    const { table, order } = this.terms;
    return yield* writeInverted({ shape, terms: table, order, cells, docs: this.tokenDocs, positions }, norms);
  }

  /** Ordinals of each document, ascending and distinct, document after document; and how many each has. */
  ordinals(docCount: number): { readonly counts: Uint32Array; readonly ordinals: Uint32Array } {
    const counts = new Uint32Array(docCount);
    const total = this.eachDistinct((doc) => {
      counts[doc] = (counts[doc] as number) + 1;
    });
    const next = new Uint32Array(docCount);
    let sum = 0;
    for (let doc = 0; doc < docCount; doc++) {
      next[doc] = sum;
      sum += counts[doc] as number;
    }
    assert(sum === total, `${sum} ordinals counted, ${total} seen`);
    const ordinals = new Uint32Array(total);
    // Terms come in order, so that each document gets its ordinals ascending.
    this.eachDistinct((doc, rank) => {
      const at = next[doc] as number;
      ordinals[at] = rank;
      next[doc] = at + 1;
    });
    return { counts, ordinals };
  }

  private eachDistinct(visit: (doc: number, rank: number) => void): number {
    let total = 0;
    for (let rank = 0; rank < this.termCount; rank++) {
      let last = -1;
      for (let i = this.cells[rank] as number; i < (this.cells[rank + 1] as number); i++) {
        const doc = this.tokenDocs[i] as number;
        if (doc === last) continue;
        last = doc;
        total++;
        visit(doc, rank);
      }
    }
    return total;
  }
}
