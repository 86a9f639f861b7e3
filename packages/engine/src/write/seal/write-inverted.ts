/**
 * Writes the postings of a field that was inverted while documents came in.
 *
 * This is the one door from indexing to postings: whole arrays in, wherever they stand, so that a kernel may encode them
 * many terms at a time.
 */

import { PostingsWriter } from '../../format/postings/postings-writer.ts';
import type { PostingsShape } from '../../format/postings/written-postings.ts';

/** Bytes of terms by their number. */
export interface TermBytes {
  readonly bytes: Uint8Array;
  start(id: number): number;
  end(id: number): number;
}

/** An inverted field: the postings of the term of rank r stand at docStarts[r] .. docStarts[r + 1] - 1. */
export interface InvertedField {
  readonly shape: PostingsShape;
  readonly terms: TermBytes;
  /** Number of the term by rank, in the order of their bytes. */
  readonly order: Uint32Array;
  readonly docStarts: Uint32Array;
  /** Document of each posting; ascending within a term. */
  readonly docs: Uint32Array;
  /** Frequency of each posting; null where the field has none. */
  readonly freqs: Uint32Array | null;
  /** Those of the term of rank r stand at positionStarts[r] .. positionStarts[r + 1] - 1. */
  readonly positionStarts: Uint32Array;
  /** Ascending within a document of a term; null where the field has none. */
  readonly positions: Uint32Array | null;
}

/** Postings between two yields, and terms: a millisecond of work or less. */
const POSTINGS_PER_STEP = 32_768;
const WORK_OF_TERM = 16;

const NONE = new Uint32Array(0);

/** `norms`: of each document of the segment, where the field has them. */
export function* writeInverted(field: InvertedField, norms: Uint8Array | null): Generator<void, PostingsWriter> {
  const { shape, terms, order, docStarts, docs, freqs, positionStarts, positions } = field;
  const writer = new PostingsWriter(shape, norms);
  let work = 0;
  for (let rank = 0; rank < order.length; rank++) {
    const id = order[rank] as number;
    writer.beginTerm(terms.bytes, terms.start(id), terms.end(id));
    const from = docStarts[rank] as number;
    const end = docStarts[rank + 1] as number;
    if (shape.hasPostings) {
      let place = positionStarts[rank] as number;
      for (let i = from; i < end; i++) {
        const freq = freqs === null ? 1 : (freqs[i] as number);
        writer.addDoc(docs[i] as number, freq, positions ?? NONE, place);
        place += freq;
      }
    }
    writer.endTerm();
    work += end - from + WORK_OF_TERM;
    if (work < POSTINGS_PER_STEP) continue;
    work = 0;
    yield;
  }
  return writer;
}
