/**
 * Writes the postings of a field that was inverted while documents came in.
 *
 * This is the one door from indexing to postings: whole arrays in, wherever they stand, so that a kernel may encode them
 * many terms at a time.
 */
import { type PostingsShape, PostingsWriter } from './postings-writer.ts';

/** Bytes of terms by their number. */
export interface TermBytes {
  readonly bytes: Uint8Array;
  start(id: number): number;
  end(id: number): number;
}

/** An inverted field: the entries of the term of rank r, a token each, stand at cells[r] .. cells[r + 1] - 1. */
export interface InvertedField {
  readonly shape: PostingsShape;
  readonly terms: TermBytes;
  /** Number of the term by rank, in the order of their bytes. */
  readonly order: Uint32Array;
  readonly cells: Uint32Array;
  /** Of each token; ascending within a term. */
  readonly docs: Uint32Array;
  /** Of each token, ascending within a document of a term; null where the field has none. */
  readonly positions: Uint32Array | null;
}

/** Tokens between two yields, and terms: a millisecond of work or less. */
const TOKENS_PER_STEP = 32_768;
const WORK_OF_TERM = 16;

const NONE = new Uint32Array(0);

/** `norms`: of each document of the segment, where the field has them. */
export function* writeInverted(field: InvertedField, norms: Uint8Array | null): Generator<void, PostingsWriter> {
  const { shape, terms, order, cells, docs, positions } = field;
  const writer = new PostingsWriter(shape, norms);
  let work = 0;
  for (let rank = 0; rank < order.length; rank++) {
    const id = order[rank] as number;
    writer.beginTerm(terms.bytes, terms.start(id), terms.end(id));
    const end = cells[rank + 1] as number;
    let i = shape.hasPostings ? (cells[rank] as number) : end;
    while (i < end) {
      const doc = docs[i] as number;
      const from = i;
      while (i < end && docs[i] === doc) i++;
      writer.addDoc(doc, shape.hasFreqs ? i - from : 1, positions ?? NONE, from);
    }
    writer.endTerm();
    work += end - (cells[rank] as number) + WORK_OF_TERM;
    if (work < TOKENS_PER_STEP) continue;
    work = 0;
    yield;
  }
  return writer;
}
