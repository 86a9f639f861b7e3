/**
 * What a thread calls while it writes segments: terms and words are added to a field, and a finished field is put in order
 * and inverted.
 *
 * Everything is in memory that the caller gives out: each function answers when there is too little, having changed nothing
 * that a second call would not find again. Nothing is checked here.
 */
import { addText, classesAddress, preparedBytes, prepareText } from './ascii-text.ts';
import {
  Field,
  find,
  findOrAdd,
  moveBytes,
  moveTerms,
  numberOf,
  OVERRUN,
  record,
  SHOWN_DOC_AT,
} from './field-terms.ts';
import { invertStretch, placeTerms } from './inversion.ts';
import { encodeLz4 } from './lz4-encoder.ts';
import { beginSort, finishSort, sortBytes, sortStep } from './term-order.ts';
import { addStretch, append, endStretch, hasRoom } from './token-stream.ts';

export {
  addStretch,
  addText,
  beginSort,
  classesAddress,
  encodeLz4,
  endStretch,
  finishSort,
  invertStretch,
  moveBytes,
  moveTerms,
  placeTerms,
  preparedBytes,
  prepareText,
  sortBytes,
  sortStep,
};

/** No term, or no room. */
const NONE: i32 = -1;

/** Secret of a field's table, before the first term: six words of 32 bits. */
export function setHashSecret(field: Field, a: u32, b: u32, c: u32, d: u32, e: u32, f: u32): void {
  field.seed = ((<u64>a) << 32) | b;
  field.firstFactor = ((<u64>c) << 32) | d | 1;
  field.secondFactor = ((<u64>e) << 32) | f | 1;
}

export function fieldBytes(): usize {
  return offsetof<Field>();
}

export function beginField(field: Field, hasPositions: bool): void {
  memory.fill(changetype<usize>(field), 0, offsetof<Field>());
  field.hasPositions = hasPositions ? 1 : 0;
  field.lastDoc = -1;
}

/** Adds the term of `length` bytes at `at` to a document; its number, or -1 when the field needs room. */
export function addTerm(field: Field, doc: i32, position: u32, at: usize, length: u32): i32 {
  const term = hasRoom(field) ? findOrAdd(field, at, length) : 0;
  if (term == 0) return NONE;
  append(field, term, doc, position);
  return <i32>numberOf(field, term);
}

/** Adds a known term to a document; false when the field needs room. */
export function addKnown(field: Field, doc: i32, position: u32, number: u32): bool {
  if (!hasRoom(field)) return false;
  append(field, record(field, number), doc, position);
  return true;
}

/** The number of the term of `length` bytes at `at`; -1 when there is none. */
export function findTerm(field: Field, at: usize, length: u32): i32 {
  const term = find(field, at, length);
  return term == 0 ? NONE : <i32>numberOf(field, term);
}

/** The last document of a term; -1 when it has none, or was told so. */
export function lastDocOf(field: Field, number: u32): i32 {
  return load<i32>(record(field, number), SHOWN_DOC_AT);
}

export function setLastDoc(field: Field, number: u32, doc: i32): void {
  store<i32>(record(field, number), doc, SHOWN_DOC_AT);
}

const SHORT_OF_STREAM: i32 = 1;
const SHORT_OF_TERMS: i32 = 2;
const SHORT_OF_BYTES: i32 = 4;

/** What there is too little of for one more token of `length` bytes: 1 the stream, 2 terms, 4 their bytes. */
export function shortageOf(field: Field, length: u32): i32 {
  return (
    (hasRoom(field) ? 0 : SHORT_OF_STREAM) |
    (field.termCount < field.termsMax ? 0 : SHORT_OF_TERMS) |
    (field.byteCount + length + OVERRUN <= field.bytesMax ? 0 : SHORT_OF_BYTES)
  );
}

export function termCountOf(field: Field): u32 {
  return field.termCount;
}

export function docCountOf(field: Field): u32 {
  return field.docCount;
}

export function postingCountOf(field: Field): u32 {
  return field.postingCount;
}

export function tokenCountOf(field: Field): u32 {
  return field.tokenCount;
}

/** Words of the text being cut so far. */
export function wordCountOf(field: Field): u32 {
  return field.wordCount;
}

/** The next text is cut from its beginning. */
export function beginText(field: Field): void {
  field.textAt = 0;
  field.wordCount = 0;
}
