/**
 * The tokens of one field in the order in which documents bring them: numbers of terms, and marks where the document or the
 * position is another than the one that follows.
 *
 * The stream is a chain of stretches, so that it grows without being copied. A stretch begins with the address of the next
 * and where its own words end.
 */
import { COUNT_AT, DOC_FREQ_AT, Field, LAST_DOC_AT, numberOf, SHOWN_DOC_AT } from './field-terms.ts';

/** The next word is the document of what follows. */
export const DOC_MARK: u32 = 0xffffffff;
/** The next word is the position of the next token. */
export const PLACE_MARK: u32 = 0xfffffffe;
export const STRETCH_HEADER: usize = 8;
/** What one token takes at most. */
const TOKEN_BYTES: usize = 20;

@inline
export function hasRoom(field: Field): bool {
  return field.stream + TOKEN_BYTES <= field.streamEnd;
}

/** The stream goes on in `bytes` bytes at `address`. */
export function addStretch(field: Field, address: usize, bytes: usize): void {
  endStretch(field);
  if (field.stretch != 0) store<u32>(field.stretch, <u32>address);
  store<u32>(address, 0);
  field.stretch = address;
  field.stream = address + STRETCH_HEADER;
  field.streamEnd = address + bytes;
}

/** Notes where the words of the current stretch end. */
export function endStretch(field: Field): void {
  if (field.stretch != 0) store<u32>(field.stretch, <u32>field.stream, 4);
}

/** There is room. */
@inline
export function append(field: Field, term: usize, doc: i32, position: u32): void {
  let at = field.stream;
  if (doc != field.lastDoc) {
    store<u32>(at, DOC_MARK);
    store<u32>(at, doc, 4);
    at += 8;
    field.lastDoc = doc;
    field.docCount++;
    field.nextPosition = 0;
  }
  if (field.hasPositions != 0 && position != field.nextPosition) {
    store<u32>(at, PLACE_MARK);
    store<u32>(at, position, 4);
    at += 8;
  }
  store<u32>(at, numberOf(field, term));
  field.stream = at + 4;
  field.nextPosition = position + 1;
  field.tokenCount++;
  store<u32>(term, load<u32>(term, COUNT_AT) + 1, COUNT_AT);
  if (load<i32>(term, LAST_DOC_AT) == doc) return;
  store<i32>(term, doc, LAST_DOC_AT);
  store<i32>(term, doc, SHOWN_DOC_AT);
  store<u32>(term, load<u32>(term, DOC_FREQ_AT) + 1, DOC_FREQ_AT);
  field.postingCount++;
}
