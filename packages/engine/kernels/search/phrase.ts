/**
 * The best hits of a phrase whose terms stand exactly in their places.
 *
 * Each place has two cursors: one finds the documents that have all terms, a block of the rarest at a time; the other,
 * behind it, finds the positions in those.
 */
import { Area, candidateDocs, indices, isAccepted, offsets, ordered, slot, starts } from './area.ts';
import { keepCommon } from './candidates.ts';
import { blockBound, bm25 } from './score.ts';
import {
  decodeDocs,
  decodeFreqs,
  docsOf,
  findInBlock,
  freqsOf,
  positionBitsOf,
  positionsOf,
  skipTo,
  Term,
} from './term.ts';
import { mayPrune, offer } from './top-hits.ts';

/** Works through up to `budget` blocks of the rarest term; true when the segment is done. `ranks`: else only counts. */
export function matchPhrase(area: Area, ranks: bool, budget: i32): bool {
  const lead = ordered(area, 0);
  const stop = min(area.next + budget, lead.blockCount);
  const placeCount = area.termCount;
  const docs = candidateDocs(area);
  const accept = area.accept;
  let block = area.next;
  for (; block < stop; block++) {
    const isPruned = ranks && mayPrune(area);
    if (isPruned && blockBound(lead, block, area.phraseWeight) <= area.threshold) continue;
    decodeDocs(lead, block);
    let count = lead.count;
    memory.copy(docs, docsOf(lead), <usize>count << 2);
    for (let i = 1; i < placeCount && count > 0; i++) count = keepCommon(area, ordered(area, i), count);
    for (let i = 0; i < count; i++) {
      const doc = load<i32>(docs + (<usize>i << 2));
      if (accept == 0 || isAccepted(accept, doc)) matchDocument(area, doc, ranks);
    }
  }
  area.next = block;
  return block >= lead.blockCount;
}

/** The cursor of a place among the positions: behind those that find documents. */
@inline
function place(area: Area, index: i32): Term {
  return slot(area, area.termCount + index);
}

function matchDocument(area: Area, doc: i32, ranks: bool): void {
  const placeCount = area.termCount;
  let rarest = 0;
  let least: u32 = 0xffffffff;
  for (let i = 0; i < placeCount; i++) {
    const term = place(area, i);
    const index = locate(term, doc);
    store<i32>(indices(area) + (<usize>i << 2), index);
    const freq = load<u32>(freqsOf(term) + (<usize>index << 2));
    if (freq < least) {
      least = freq;
      rarest = i;
    }
  }
  const lead = place(area, rarest);
  const norm = <u32>load<u8>(lead.norms + <usize>doc);
  const weight = area.phraseWeight;
  // A phrase occurs no more often than its rarest term.
  if (ranks && mayPrune(area) && <f64>bm25(weight, lead.inverses, least, norm) <= area.threshold) return;
  const freq = placeCount == 2 ? countPairs(area, rarest, <i32>least + 1) : countPlaces(area, rarest, <i32>least + 1);
  if (freq == 0) return;
  area.hits++;
  if (ranks) offer(area, doc, <f64>bm25(weight, lead.inverses, <u32>freq - 1, norm));
}

/** Index in its block of a document that the term has, decoded with its frequencies. */
function locate(term: Term, doc: i32): i32 {
  const block = skipTo(term, doc);
  decodeDocs(term, block);
  decodeFreqs(term);
  const docs = docsOf(term);
  const p = findInBlock(docs, docs + (<usize>term.at << 2), doc);
  term.at = <i32>((p - docs) >> 2);
  return term.at;
}

/** Positions of the block before those of the document at `index`. */
function positionsBefore(term: Term, index: i32): i32 {
  let i = 0;
  let sum = 0;
  if (term.startBlock == term.decoded && term.startDoc <= index) {
    i = term.startDoc;
    sum = term.startSum;
  }
  const freqs = freqsOf(term);
  while (i < index) {
    sum += load<i32>(freqs + (<usize>i << 2)) + 1;
    i++;
  }
  term.startBlock = term.decoded;
  term.startDoc = index;
  term.startSum = sum;
  return sum;
}

/** Number `index` of a packed run. */
@inline
function positionAt(run: usize, bits: u32, mask: u64, index: i32): i32 {
  const bit = <usize>index * bits;
  return <i32>((load<u64>(run + (bit >>> 3)) >>> (bit & 7)) & mask);
}

@inline
function maskOf(bits: u32): u64 {
  return (<u64>1 << bits) - 1;
}

/** Occurrences of two places: one walk through the positions of both. */
function countPairs(area: Area, rarest: i32, leadCount: i32): i32 {
  const lead = place(area, rarest);
  const other = place(area, 1 - rarest);
  const distance =
    load<i32>(offsets(area) + (<usize>(1 - rarest) << 2)) - load<i32>(offsets(area) + (<usize>rarest << 2));
  const otherIndex = load<i32>(indices(area) + (<usize>(1 - rarest) << 2));
  let a = positionsBefore(lead, load<i32>(indices(area) + (<usize>rarest << 2)));
  let b = positionsBefore(other, otherIndex);
  const endA = a + leadCount;
  const endB = b + load<i32>(freqsOf(other) + (<usize>otherIndex << 2)) + 1;
  const runA = positionsOf(lead);
  const runB = positionsOf(other);
  const bitsA = positionBitsOf(lead);
  const bitsB = positionBitsOf(other);
  const maskA = maskOf(bitsA);
  const maskB = maskOf(bitsB);
  let wanted = positionAt(runA, bitsA, maskA, a) + distance;
  let found = positionAt(runB, bitsB, maskB, b);
  let count = 0;
  while (true) {
    if (found < wanted) {
      if (++b >= endB) break;
      found = positionAt(runB, bitsB, maskB, b);
    } else {
      // Only the lead goes on after a match: it may stand twice on one position.
      count += i32(found == wanted);
      if (++a >= endA) break;
      wanted = positionAt(runA, bitsA, maskA, a) + distance;
    }
  }
  return count;
}

/** Occurrences of any number of places: each position of the rarest is looked for in the others. */
function countPlaces(area: Area, rarest: i32, leadCount: i32): i32 {
  const placeCount = area.termCount;
  for (let i = 0; i < placeCount; i++) {
    const index = load<i32>(indices(area) + (<usize>i << 2));
    store<i32>(starts(area) + (<usize>i << 2), positionsBefore(place(area, i), index));
  }
  const lead = place(area, rarest);
  const run = positionsOf(lead);
  const bits = positionBitsOf(lead);
  const mask = maskOf(bits);
  const from = load<i32>(starts(area) + (<usize>rarest << 2));
  const leadOffset = load<i32>(offsets(area) + (<usize>rarest << 2));
  let count = 0;
  for (let a = from; a < from + leadCount; a++) {
    const start = positionAt(run, bits, mask, a) - leadOffset;
    let isWhole = true;
    for (let i = 0; i < placeCount; i++) {
      if (i == rarest) continue;
      const state = seek(area, i, start + load<i32>(offsets(area) + (<usize>i << 2)));
      if (state == ENDED) return count;
      if (state == MISSED) {
        isWhole = false;
        break;
      }
    }
    count += i32(isWhole);
  }
  return count;
}

const MISSED: i32 = 0;
const MET: i32 = 1;
const ENDED: i32 = 2;

/** Moves place `i` to its first position at or behind `wanted`. */
function seek(area: Area, i: i32, wanted: i32): i32 {
  const term = place(area, i);
  const index = load<i32>(indices(area) + (<usize>i << 2));
  const run = positionsOf(term);
  const bits = positionBitsOf(term);
  const mask = maskOf(bits);
  // The memo of the term stands at this document: it tells where its positions start.
  const end = term.startSum + load<i32>(freqsOf(term) + (<usize>index << 2)) + 1;
  let at = load<i32>(starts(area) + (<usize>i << 2));
  while (at < end) {
    const position = positionAt(run, bits, mask, at);
    if (position >= wanted) {
      store<i32>(starts(area) + (<usize>i << 2), at);
      return position == wanted ? MET : MISSED;
    }
    at++;
  }
  store<i32>(starts(area) + (<usize>i << 2), at);
  return ENDED;
}
