/**
 * Terms that are too long for an inverted index, and the error of a document that has one.
 */
import { illegalArgument, type ShoalError } from '@shoal/core';
import { TERM_BYTES_MAX } from './indexed-value.ts';

/** Bytes of the term that the error shows. */
const PREFIX_BYTES = 30;
/** UTF-8 takes at most so many bytes for a UTF-16 unit. */
const BYTES_PER_UNIT = 3;

export function isImmense(term: string): boolean {
  return term.length * BYTES_PER_UNIT > TERM_BYTES_MAX && Buffer.byteLength(term, 'utf8') > TERM_BYTES_MAX;
}

/** 400: Elasticsearch refuses the document whole. */
export function immenseTerm(path: string, term: string): ShoalError {
  const prefix = [...Buffer.from(term.slice(0, PREFIX_BYTES), 'utf8').subarray(0, PREFIX_BYTES)];
  return illegalArgument(
    `Document contains at least one immense term in field="${path}" (whose UTF8 encoding is longer than the max length ${TERM_BYTES_MAX}), all of which were skipped. Please correct the analyzer to not produce such terms. The prefix of the first immense term is: '[${prefix.map(signed).join(', ')}]...', original message: bytes can be at most ${TERM_BYTES_MAX} in length; got ${Buffer.byteLength(term, 'utf8')}`,
  );
}

/** A byte as Elasticsearch prints it. */
function signed(byte: number): number {
  return byte < 0x80 ? byte : byte - 0x100;
}
