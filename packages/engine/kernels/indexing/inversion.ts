/**
 * Turns the stream of tokens of a field into documents, frequencies and positions by term.
 *
 * How often each term came is known from the start, so that every number has its place at once: one pass over the stream.
 */
import { COUNT_AT, DOC_FREQ_AT, Field, LAST_DOC_AT, record } from './field-terms.ts';
import { DOC_MARK, PLACE_MARK, STRETCH_HEADER } from './token-stream.ts';

@inline
function word(address: usize, index: u32): usize {
  return address + (<usize>index << 2);
}

/**
 * Gives terms `from` to `to` of `order` their places: where the documents of each begin goes to `docStarts`, where its positions
 * do to `positionStarts`. Before the first call `field.postingCount` and `field.tokenCount` are what is to be placed.
 */
export function placeTerms(
  field: Field,
  order: usize,
  from: u32,
  to: u32,
  docStarts: usize,
  positionStarts: usize,
): void {
  let docs = from == 0 ? 0 : load<u32>(word(docStarts, from));
  let positions = from == 0 ? 0 : load<u32>(word(positionStarts, from));
  for (let rank = from; rank < to; rank++) {
    const term = record(field, load<u32>(word(order, rank)));
    store<u32>(word(docStarts, rank), docs);
    store<u32>(word(positionStarts, rank), positions);
    const docFreq = load<u32>(term, DOC_FREQ_AT);
    const count = load<u32>(term, COUNT_AT);
    // From now on they are where its next document and position go.
    store<u32>(term, docs, DOC_FREQ_AT);
    store<u32>(term, positions, COUNT_AT);
    store<i32>(term, -1, LAST_DOC_AT);
    docs += docFreq;
    positions += count;
  }
  store<u32>(word(docStarts, to), docs);
  store<u32>(word(positionStarts, to), positions);
  field.lastDoc = -1;
  field.nextPosition = 0;
}

/** Places the tokens of one stretch; answers the address of the next, 0 behind the last. 0 for what is not kept. */
export function invertStretch(field: Field, stretch: usize, docs: usize, freqs: usize, positions: usize): usize {
  const end = <usize>load<u32>(stretch, 4);
  let doc = field.lastDoc;
  let position = field.nextPosition;
  for (let at = stretch + STRETCH_HEADER; at < end; at += 4) {
    const token = load<u32>(at);
    if (token >= PLACE_MARK) {
      at += 4;
      if (token == DOC_MARK) {
        doc = load<i32>(at);
        position = 0;
      } else position = load<u32>(at);
      continue;
    }
    const term = record(field, token);
    const next = load<u32>(term, DOC_FREQ_AT);
    if (load<i32>(term, LAST_DOC_AT) != doc) {
      store<i32>(term, doc, LAST_DOC_AT);
      store<u32>(word(docs, next), doc);
      if (freqs != 0) store<u32>(word(freqs, next), 1);
      store<u32>(term, next + 1, DOC_FREQ_AT);
    } else if (freqs != 0) {
      const freq = word(freqs, next - 1);
      store<u32>(freq, load<u32>(freq) + 1);
    }
    if (positions != 0) {
      const place = load<u32>(term, COUNT_AT);
      store<u32>(word(positions, place), position++);
      store<u32>(term, place + 1, COUNT_AT);
    }
  }
  field.lastDoc = doc;
  field.nextPosition = position;
  return <usize>load<u32>(stretch);
}
