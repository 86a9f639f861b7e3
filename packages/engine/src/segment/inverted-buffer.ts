/**
 * Terms of one field while documents come in: a stream of (term, position) entries, inverted only when it is sealed.
 *
 * Appending a number a token and counting once at the end is several times faster than a list a term, and leaves no
 * object a posting on the heap. Strings of new terms live in one Map until the seal.
 */
import { assert } from '@shoal/core';
import { GrowableU32 } from '../bytes/growable-arrays.ts';
import { type PostingsShape, PostingsWriter } from './postings-writer.ts';

/** `latin1`: each character is one byte of a binary value, such as an address. */
export type TermEncoding = 'utf8' | 'latin1';

/** Rough heap cost of a term's string and its Map entry. */
const TERM_BYTES = 96;

export class InvertedBuffer {
  readonly encoding: TermEncoding;
  readonly shape: PostingsShape;
  private readonly termIds = new Map<string, number>();
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
      this.termIds.size * TERM_BYTES +
      this.tokens.sizeBytes +
      (this.tokenPositions?.sizeBytes ?? 0) +
      this.docs.sizeBytes * 2
    );
  }

  /** Docs never descend; positions ascend within a document. */
  add(doc: number, term: string, position: number): void {
    if (doc !== this.lastDoc) {
      this.docs.push(doc);
      this.starts.push(this.tokens.length);
      this.lastDoc = doc;
    }
    let id = this.termIds.get(term);
    if (id === undefined) {
      id = this.termIds.size;
      this.termIds.set(term, id);
    }
    this.tokens.push(id);
    this.tokenPositions?.push(position);
  }

  /** Inverts the stream. The buffer is not used afterwards. */
  seal(): InvertedSeal {
    const terms = sortedTerms([...this.termIds.keys()], this.encoding);
    const rankOf = new Uint32Array(this.termIds.size);
    const encoded: Uint8Array[] = [];
    let last: Uint8Array | null = null;
    for (const term of terms) {
      const bytes = Buffer.from(term, this.encoding);
      // Two strings with broken surrogates can be one term in UTF-8.
      if (last === null || Buffer.compare(last, bytes) !== 0) encoded.push(bytes);
      last = bytes;
      rankOf[this.termIds.get(term) ?? 0] = encoded.length - 1;
    }
    return this.invert(encoded, rankOf);
  }

  private invert(terms: readonly Uint8Array[], rankOf: Uint32Array): InvertedSeal {
    const { tokens, docs, starts } = this;
    const total = tokens.length;
    starts.push(total);
    const cells = new Uint32Array(terms.length + 1);
    for (let i = 0; i < total; i++) {
      const rank = rankOf[tokens.at(i)] as number;
      cells[rank + 1] = (cells[rank + 1] as number) + 1;
    }
    for (let rank = 0; rank < terms.length; rank++)
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
      }
    }
    return new InvertedSeal(this.shape, terms, cells, tokenDocs, positions, docs.length);
  }
}

/** An inverted field: entries of term r stand at cells[r] .. cells[r + 1] - 1, docs ascending. */
class InvertedSeal {
  readonly shape: PostingsShape;
  readonly terms: readonly Uint8Array[];
  readonly docCount: number;
  private readonly cells: Uint32Array;
  private readonly tokenDocs: Uint32Array;
  private readonly positions: Uint32Array | null;

  constructor(
    shape: PostingsShape,
    terms: readonly Uint8Array[],
    cells: Uint32Array,
    tokenDocs: Uint32Array,
    positions: Uint32Array | null,
    docCount: number,
  ) {
    this.shape = shape;
    this.terms = terms;
    this.cells = cells;
    this.tokenDocs = tokenDocs;
    this.positions = positions;
    this.docCount = docCount;
  }

  /** Feeds a postings writer with all terms. `norms`: of each document of the segment, where the field has them. */
  writePostings(norms: Uint8Array | null): PostingsWriter {
    const writer = new PostingsWriter(this.shape, norms);
    const none = new Uint32Array(0);
    for (let rank = 0; rank < this.terms.length; rank++) {
      writer.beginTerm(this.terms[rank] as Uint8Array);
      const end = this.cells[rank + 1] as number;
      let i = this.shape.hasPostings ? (this.cells[rank] as number) : end;
      while (i < end) {
        const doc = this.tokenDocs[i] as number;
        const from = i;
        while (i < end && this.tokenDocs[i] === doc) i++;
        writer.addDoc(doc, this.shape.hasFreqs ? i - from : 1, this.positions ?? none, from);
      }
      writer.endTerm();
    }
    return writer;
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
    for (let rank = 0; rank < this.terms.length; rank++) {
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

/** In the order of their bytes. */
function sortedTerms(terms: string[], encoding: TermEncoding): string[] {
  terms.sort();
  // Code units order as UTF-8 does, except around surrogates.
  const hasSurrogates = encoding === 'utf8' && terms.some((term) => /[\ud800-\udfff]/.test(term));
  if (!hasSurrogates) return terms;
  const keyed = terms.map((term) => ({ term, bytes: Buffer.from(term, 'utf8') }));
  return keyed.sort((a, b) => Buffer.compare(a.bytes, b.bytes)).map(({ term }) => term);
}
