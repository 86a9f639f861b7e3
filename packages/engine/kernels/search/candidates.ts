/**
 * Candidates: a short list of documents with the scores they have so far, that further terms add to or throw out.
 */
import { Area, candidateDocs, candidateScores, isAccepted, placesWindow, SPAN } from './area.ts';
import { bm25, TABLE_FREQ_BITS, tableScore } from './score.ts';
import { BLOCK } from '../shared/postings-format.ts';
import { COLUMN_FULL, decodeDocs, decodeFreqs, docsOf, findInBlock, freqAt, lastDoc, skipTo, Term, TO_FREQ } from './term.ts';

/** From this many candidates in a block on, laying the block out in the byte window pays. */
export const DENSE: i32 = 20;
/** Frequencies less one below this are in the table. */
const TABLE_FREQS: u32 = 1 << TABLE_FREQ_BITS;

/** Appends documents of a block in [from, to) that score above `cut`; returns how many candidates there are then. */
export function scoreBlock(area: Area, term: Term, block: i32, from: i32, to: i32, count: i32, cut: f64): i32 {
  decodeDocs(term, block);
  decodeFreqs(term);
  const docs = candidateDocs(area);
  const scores = candidateScores(area);
  const table = term.table;
  const weight = term.weight;
  const norms = term.norms;
  const first = docsOf(term);
  const end = first + (<usize>term.count << 2);
  let p = first + (<usize>term.at << 2);
  let kept = count;
  while (p < end && load<i32>(p) < from) p += 4;
  if (table != 0 && term.freqBits <= TABLE_FREQ_BITS) {
    while (p < end) {
      const doc = load<i32>(p);
      if (doc >= to) break;
      const score = <f64>tableScore(table, load<u32>(p + TO_FREQ), load<u8>(norms + <usize>doc));
      // Written in any case and counted when good: a branch here would be guessed wrong half the time.
      store<i32>(docs + (<usize>kept << 2), doc);
      store<f64>(scores + (<usize>kept << 3), score);
      kept += i32(score > cut);
      p += 4;
    }
  } else {
    const inverses = term.inverses;
    while (p < end) {
      const doc = load<i32>(p);
      if (doc >= to) break;
      const score = <f64>bm25(weight, inverses, load<u32>(p + TO_FREQ), load<u8>(norms + <usize>doc));
      store<i32>(docs + (<usize>kept << 2), doc);
      store<f64>(scores + (<usize>kept << 3), score);
      kept += i32(score > cut);
      p += 4;
    }
  }
  term.at = <i32>((p - first) >> 2);
  return kept;
}

/** Drops candidates that are deleted or that a filter does not match. */
export function keepAccepted(area: Area, count: i32): i32 {
  const accept = area.accept;
  if (accept == 0) return count;
  const docs = candidateDocs(area);
  const scores = candidateScores(area);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const doc = load<i32>(docs + (<usize>i << 2));
    store<i32>(docs + (<usize>kept << 2), doc);
    store<f64>(scores + (<usize>kept << 3), load<f64>(scores + (<usize>i << 3)));
    kept += i32(isAccepted(accept, doc));
  }
  return kept;
}

/** First candidate from `start` on whose document is behind `last`. */
@inline
export function endOfBlock(docs: usize, start: i32, count: i32, last: i32): i32 {
  let i = start;
  while (i + 8 <= count && load<i32>(docs + (<usize>(i + 7) << 2)) <= last) i += 8;
  while (i < count && load<i32>(docs + (<usize>i << 2)) <= last) i++;
  return i;
}

/** Lays a full block out by document. */
export function layOut(places: usize, docs: usize): void {
  for (let i: u32 = 1; i <= <u32>BLOCK; i += 4) {
    const p = docs + (<usize>(i - 1) << 2);
    store<u8>(places + <usize>load<i32>(p), i);
    store<u8>(places + <usize>load<i32>(p, 4), i + 1);
    store<u8>(places + <usize>load<i32>(p, 8), i + 2);
    store<u8>(places + <usize>load<i32>(p, 12), i + 3);
  }
}

/** Keeps the candidates' documents that the term has too; scores are not looked at. */
export function keepCommon(area: Area, term: Term, count: i32): i32 {
  if (term.column != 0) return keepInColumn(area, term.column, count);
  const docs = candidateDocs(area);
  const own = docsOf(term);
  let kept = 0;
  let i = 0;
  while (i < count) {
    const block = skipTo(term, load<i32>(docs + (<usize>i << 2)));
    if (block >= term.blockCount) break;
    const last = lastDoc(term, block);
    const end = endOfBlock(docs, i, count, last);
    decodeDocs(term, block);
    const first = load<i32>(own);
    if (end - i > DENSE && term.count == BLOCK && last - first < SPAN) {
      while (i < end && load<i32>(docs + (<usize>i << 2)) < first) i++;
      const places = placesWindow(area) - <usize>first;
      layOut(places, own);
      for (; i < end; i++) {
        const doc = load<i32>(docs + (<usize>i << 2));
        store<i32>(docs + (<usize>kept << 2), doc);
        kept += i32(load<u8>(places + <usize>doc) != 0);
      }
      memory.fill(placesWindow(area), 0, <usize>(last - first + 1));
    } else {
      let p = own + (<usize>term.at << 2);
      for (; i < end; i++) {
        const doc = load<i32>(docs + (<usize>i << 2));
        p = findInBlock(own, p, doc);
        store<i32>(docs + (<usize>kept << 2), doc);
        kept += i32(load<i32>(p) == doc);
      }
      term.at = <i32>((p - own) >> 2);
    }
  }
  return kept;
}

function keepInColumn(area: Area, column: usize, count: i32): i32 {
  const docs = candidateDocs(area);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const doc = load<i32>(docs + (<usize>i << 2));
    store<i32>(docs + (<usize>kept << 2), doc);
    kept += i32(load<u8>(column + <usize>doc) != 0);
  }
  return kept;
}

/** Does what `addScores` does, without decoding anything. */
function addFromColumn(area: Area, term: Term, count: i32, isRequired: bool, cut: f64): i32 {
  const docs = candidateDocs(area);
  const scores = candidateScores(area);
  const column = term.column;
  const table = term.table;
  const norms = term.norms;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const doc = load<i32>(docs + (<usize>i << 2));
    let sum = load<f64>(scores + (<usize>i << 3));
    const held = <u32>load<u8>(column + <usize>doc);
    if (held != 0) {
      const norm = load<u8>(norms + <usize>doc);
      const freq = held == COLUMN_FULL ? freqAt(term, doc) : held - 1;
      const isTabled = table != 0 && freq < TABLE_FREQS;
      sum += <f64>(isTabled ? tableScore(table, freq, norm) : bm25(term.weight, term.inverses, freq, norm));
    }
    store<i32>(docs + (<usize>kept << 2), doc);
    store<f64>(scores + (<usize>kept << 3), sum);
    kept += i32((held != 0 || !isRequired) && sum > cut);
  }
  return kept;
}

/**
 * Adds the term's scores to the candidates. When `isRequired` those that it does not have are dropped; so are those whose
 * sum is then not above `cut`.
 */
export function addScores(area: Area, term: Term, count: i32, isRequired: bool, cut: f64): i32 {
  if (term.column != 0) return addFromColumn(area, term, count, isRequired, cut);
  const docs = candidateDocs(area);
  const scores = candidateScores(area);
  const own = docsOf(term);
  const table = term.table;
  const norms = term.norms;
  let kept = 0;
  let i = 0;
  while (i < count) {
    const block = skipTo(term, load<i32>(docs + (<usize>i << 2)));
    if (block >= term.blockCount) break;
    const last = lastDoc(term, block);
    const end = endOfBlock(docs, i, count, last);
    decodeDocs(term, block);
    const first = load<i32>(own);
    if (end - i > DENSE && term.count == BLOCK && last - first < SPAN) {
      decodeFreqs(term);
      const places = placesWindow(area) - <usize>first;
      const isTabled = table != 0 && term.freqBits <= TABLE_FREQ_BITS;
      layOut(places, own);
      for (; i < end; i++) {
        const doc = load<i32>(docs + (<usize>i << 2));
        let sum = load<f64>(scores + (<usize>i << 3));
        const place: u32 = doc < first ? 0 : <u32>load<u8>(places + <usize>doc);
        if (place != 0) {
          const freq = load<u32>(own + TO_FREQ + (<usize>(place - 1) << 2));
          const norm = load<u8>(norms + <usize>doc);
          sum += <f64>(isTabled ? tableScore(table, freq, norm) : bm25(term.weight, term.inverses, freq, norm));
        }
        store<i32>(docs + (<usize>kept << 2), doc);
        store<f64>(scores + (<usize>kept << 3), sum);
        kept += i32((place != 0 || !isRequired) && sum > cut);
      }
      memory.fill(placesWindow(area), 0, <usize>(last - first + 1));
    } else {
      let p = own + (<usize>term.at << 2);
      for (; i < end; i++) {
        const doc = load<i32>(docs + (<usize>i << 2));
        let sum = load<f64>(scores + (<usize>i << 3));
        p = findInBlock(own, p, doc);
        const isThere = load<i32>(p) == doc;
        if (isThere) {
          decodeFreqs(term);
          const freq = load<u32>(p + TO_FREQ);
          const norm = load<u8>(norms + <usize>doc);
          const isTabled = table != 0 && freq < TABLE_FREQS;
          sum += <f64>(isTabled ? tableScore(table, freq, norm) : bm25(term.weight, term.inverses, freq, norm));
        }
        store<i32>(docs + (<usize>kept << 2), doc);
        store<f64>(scores + (<usize>kept << 3), sum);
        kept += i32((isThere || !isRequired) && sum > cut);
      }
      term.at = <i32>((p - own) >> 2);
    }
  }
  if (isRequired) return kept;
  // Behind the term's last document: their sums stay as they are.
  for (; i < count; i++) {
    const sum = load<f64>(scores + (<usize>i << 3));
    store<i32>(docs + (<usize>kept << 2), load<i32>(docs + (<usize>i << 2)));
    store<f64>(scores + (<usize>kept << 3), sum);
    kept += i32(sum > cut);
  }
  return kept;
}
