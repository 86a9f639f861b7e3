/**
 * The best hits of a phrase whose terms stand exactly in their places.
 *
 * A block of the rarest term at a time is narrowed down by the other terms, one after the other. What was decoded on the way is
 * noted for each document that is left: where its positions stand in each place. Only then are positions compared.
 */
import { Area, candidateDocs, candidateNumbers, isAccepted, offsets, ordered, placesWindow, run, slotNumber, SPAN, starts } from './area.ts';
import { DENSE, endOfBlock, keepAccepted, layOut, scoreBlock } from './candidates.ts';
import { bestImpact, blockBound, scoreOf } from './score.ts';
import { BLOCK, NO_MORE_DOCS } from '../shared/postings-format.ts';
import {
  COLUMN_FULL,
  decodeDocs,
  decodeFreqs,
  docsOf,
  findInBlock,
  freqsOf,
  lastDoc,
  positionBitsOf,
  positionsBefore,
  positionsOf,
  skipTo,
  Term,
} from './term.ts';
import { mayPrune, offer } from './top-hits.ts';

/** Positions of one document in one place: the packed run of the block, how wide its numbers are, and which are the document's. */
@unmanaged
class Run {
  /** Address of the block's positions. */
  packed: usize;
  bits: u32;
  /** Positions of the block before the document's first. */
  start: i32;
  count: i32;
}

/** Works through up to `budget` blocks of the rarest term; true when the segment is done. `ranks`: else only counts. */
export function matchPhrase(area: Area, ranks: bool, budget: i32): bool {
  const lead = ordered(area, 0);
  const stop = min(area.next + budget, lead.blockCount);
  const placeCount = area.termCount;
  const docs = candidateDocs(area);
  const numbers = candidateNumbers(area);
  const isPair = placeCount == 2;
  const distance = isPair ? offsetAt(area, 1) - offsetAt(area, 0) : 0;
  let block = area.next;
  for (; block < stop; block++) {
    // A phrase occurs no more often than its rarest term: what bounds the scores of that term bounds its own.
    const isPruned = ranks && mayPrune(area);
    if (isPruned) {
      if (blockBound(lead, block, area.phraseWeight) <= area.threshold) continue;
      if (<f64>bestImpact(lead, block) <= area.threshold) continue;
    }
    let count = isPruned ? leadAbove(area, lead, block) : leadDocs(area, lead, block);
    for (let i = 1; i < placeCount && count > 0; i++) count = keepPlace(area, ordered(area, i), count, isPruned);
    if (count == 0) continue;
    noteLead(area, lead, count);
    for (let i = 0; i < count; i++) {
      const doc = load<i32>(docs + (<usize>i << 2));
      const number = load<i32>(numbers + (<usize>i << 2));
      if (isPair) {
        const first = runOf(area, 0, number);
        const second = runOf(area, 1, number);
        if (first.count == 1 && second.count == 1) {
          // The usual case: each word stands once.
          if (onlyPosition(second) - onlyPosition(first) != distance) continue;
          area.hits++;
          if (ranks) offer(area, doc, <f64>scoreOf(lead, 0, <u32>load<u8>(lead.norms + <usize>doc)));
          continue;
        }
      }
      matchDocument(area, doc, number, ranks);
    }
  }
  area.next = block;
  return block >= lead.blockCount;
}

@inline
function runOf(area: Area, place: i32, number: i32): Run {
  return changetype<Run>(run(area, place, number));
}

/** Makes candidates of the accepted documents of a block; each has its index in the block as its number. */
function leadDocs(area: Area, lead: Term, block: i32): i32 {
  decodeDocs(lead, block);
  const own = docsOf(lead);
  const docs = candidateDocs(area);
  const numbers = candidateNumbers(area);
  const accept = area.accept;
  const count = lead.count;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const doc = load<i32>(own + (<usize>i << 2));
    store<i32>(docs + (<usize>kept << 2), doc);
    store<i32>(numbers + (<usize>kept << 2), i);
    kept += i32(accept == 0 || isAccepted(accept, doc));
  }
  return kept;
}

/** Makes candidates of those documents alone that could enter if the phrase occurred as often as the rarest term. */
function leadAbove(area: Area, lead: Term, block: i32): i32 {
  lead.block = block;
  lead.at = 0;
  const kept = keepAccepted(area, scoreBlock(area, lead, block, 0, NO_MORE_DOCS, 0, area.threshold));
  const own = docsOf(lead);
  const docs = candidateDocs(area);
  const numbers = candidateNumbers(area);
  let p = own;
  for (let i = 0; i < kept; i++) {
    p = findInBlock(own, p, load<i32>(docs + (<usize>i << 2)));
    store<i32>(numbers + (<usize>i << 2), <i32>((p - own) >> 2));
  }
  return kept;
}

/** Notes the positions of the lead for the candidates that are left. */
function noteLead(area: Area, lead: Term, count: i32): void {
  const numbers = candidateNumbers(area);
  const place = slotNumber(area, lead);
  for (let i = 0; i < count; i++) {
    const number = load<i32>(numbers + (<usize>i << 2));
    runOf(area, place, number).start = number;
  }
  decodeFreqs(lead);
  noteBlock(area, lead, place, 0, count);
}

/** Completes the runs of candidates in the decoded block: `start` is the index in the block, which the positions follow from. */
function noteBlock(area: Area, term: Term, place: i32, from: i32, to: i32): void {
  if (from == to) return;
  const numbers = candidateNumbers(area);
  const freqs = freqsOf(term);
  const packed = positionsOf(term);
  const bits = positionBitsOf(term);
  if (term.freqBits == 0) {
    // Every document has one position, at the index of its own.
    for (let i = from; i < to; i++) {
      const noted = runOf(area, place, load<i32>(numbers + (<usize>i << 2)));
      noted.packed = packed;
      noted.bits = bits;
      noted.count = 1;
    }
    return;
  }
  for (let i = from; i < to; i++) {
    const noted = runOf(area, place, load<i32>(numbers + (<usize>i << 2)));
    const index = noted.start;
    noted.packed = packed;
    noted.bits = bits;
    noted.start = positionsBefore(term, index);
    noted.count = load<i32>(freqs + (<usize>index << 2)) + 1;
  }
}

/** Keeps the candidates that the term has too, and notes where their positions stand. `isPruned`: only those that may enter. */
function keepPlace(area: Area, term: Term, found: i32, isPruned: bool): i32 {
  const place = slotNumber(area, term);
  const count = term.column == 0 ? found : keepInColumn(area, term, found, isPruned ? area.threshold : -1);
  const docs = candidateDocs(area);
  const numbers = candidateNumbers(area);
  const own = docsOf(term);
  let kept = 0;
  let i = 0;
  while (i < count) {
    const block = skipTo(term, load<i32>(docs + (<usize>i << 2)));
    if (block >= term.blockCount) break;
    const last = lastDoc(term, block);
    const end = endOfBlock(docs, i, count, last);
    const before = kept;
    decodeDocs(term, block);
    const first = load<i32>(own);
    if (end - i > DENSE && term.count == BLOCK && last - first < SPAN) {
      while (i < end && load<i32>(docs + (<usize>i << 2)) < first) i++;
      const places = placesWindow(area) - <usize>first;
      layOut(places, own);
      for (; i < end; i++) {
        const doc = load<i32>(docs + (<usize>i << 2));
        const number = load<i32>(numbers + (<usize>i << 2));
        const index = <i32>load<u8>(places + <usize>doc);
        store<i32>(docs + (<usize>kept << 2), doc);
        store<i32>(numbers + (<usize>kept << 2), number);
        runOf(area, place, number).start = index - 1;
        kept += i32(index != 0);
      }
      memory.fill(placesWindow(area), 0, <usize>(last - first + 1));
    } else {
      let p = own + (<usize>term.at << 2);
      for (; i < end; i++) {
        const doc = load<i32>(docs + (<usize>i << 2));
        const number = load<i32>(numbers + (<usize>i << 2));
        p = findInBlock(own, p, doc);
        store<i32>(docs + (<usize>kept << 2), doc);
        store<i32>(numbers + (<usize>kept << 2), number);
        runOf(area, place, number).start = <i32>((p - own) >> 2);
        kept += i32(load<i32>(p) == doc);
      }
      term.at = <i32>((p - own) >> 2);
    }
    if (kept == before) continue;
    decodeFreqs(term);
    noteBlock(area, term, place, before, kept);
  }
  return kept;
}

/** Keeps the candidates that the term's column has, and scores above `cut` if the phrase occurred as often as the term. */
function keepInColumn(area: Area, term: Term, count: i32, cut: f64): i32 {
  const docs = candidateDocs(area);
  const numbers = candidateNumbers(area);
  const column = term.column;
  const norms = term.norms;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const doc = load<i32>(docs + (<usize>i << 2));
    const held = <u32>load<u8>(column + <usize>doc);
    store<i32>(docs + (<usize>kept << 2), doc);
    store<i32>(numbers + (<usize>kept << 2), load<i32>(numbers + (<usize>i << 2)));
    let isKept = held != 0;
    // A full column tells no frequency.
    if (cut >= 0 && isKept && held < COLUMN_FULL) {
      isKept = <f64>scoreOf(term, held - 1, <u32>load<u8>(norms + <usize>doc)) > cut;
    }
    kept += i32(isKept);
  }
  return kept;
}

function matchDocument(area: Area, doc: i32, number: i32, ranks: bool): void {
  const placeCount = area.termCount;
  let rarest = 0;
  let least = runOf(area, 0, number).count;
  for (let i = 1; i < placeCount; i++) {
    const count = runOf(area, i, number).count;
    if (count < least) {
      least = count;
      rarest = i;
    }
  }
  const lead = ordered(area, 0);
  let isWeak = !ranks;
  let norm: u32 = 0;
  if (ranks) {
    norm = <u32>load<u8>(lead.norms + <usize>doc);
    const isFull = area.heapSize == area.heapCapacity;
    isWeak = isFull && <f64>scoreOf(lead, <u32>least - 1, norm) <= area.threshold;
    if (isWeak && mayPrune(area)) return;
  }
  // A document that cannot enter only counts: whether it is a hit is all that matters.
  const most = isWeak ? 1 : i32.MAX_VALUE;
  const freq = placeCount == 2 ? countPairs(area, number, rarest, most) : countPlaces(area, number, rarest, most);
  if (freq == 0) return;
  area.hits++;
  if (!isWeak) offer(area, doc, <f64>scoreOf(lead, <u32>freq - 1, norm));
}

/** Number `index` of a packed run. */
@inline
function positionAt(packed: usize, bits: u32, mask: u64, index: i32): i32 {
  const bit = <usize>index * bits;
  return <i32>((load<u64>(packed + (bit >>> 3)) >>> (bit & 7)) & mask);
}

@inline
function maskOf(bits: u32): u64 {
  return (<u64>1 << bits) - 1;
}

@inline
function onlyPosition(run: Run): i32 {
  return positionAt(run.packed, run.bits, maskOf(run.bits), run.start);
}

@inline
function offsetAt(area: Area, place: i32): i32 {
  return load<i32>(offsets(area) + (<usize>place << 2));
}

/** Occurrences of two places, up to `most`: one walk through the positions of both. */
function countPairs(area: Area, number: i32, rarest: i32, most: i32): i32 {
  const lead = runOf(area, rarest, number);
  const other = runOf(area, 1 - rarest, number);
  const distance = offsetAt(area, 1 - rarest) - offsetAt(area, rarest);
  let a = lead.start;
  let b = other.start;
  const endA = a + lead.count;
  const endB = b + other.count;
  const packedA = lead.packed;
  const packedB = other.packed;
  const bitsA = lead.bits;
  const bitsB = other.bits;
  const maskA = maskOf(bitsA);
  const maskB = maskOf(bitsB);
  let wanted = positionAt(packedA, bitsA, maskA, a) + distance;
  let found = positionAt(packedB, bitsB, maskB, b);
  let count = 0;
  while (true) {
    if (found < wanted) {
      if (++b >= endB) break;
      found = positionAt(packedB, bitsB, maskB, b);
    } else {
      // Only the lead goes on after a match: it may stand twice on one position.
      count += i32(found == wanted);
      if (count == most || ++a >= endA) break;
      wanted = positionAt(packedA, bitsA, maskA, a) + distance;
    }
  }
  return count;
}

/** Occurrences of any number of places, up to `most`: each position of the rarest is looked for in the others. */
function countPlaces(area: Area, number: i32, rarest: i32, most: i32): i32 {
  const placeCount = area.termCount;
  for (let i = 0; i < placeCount; i++) store<i32>(starts(area) + (<usize>i << 2), 0);
  const lead = runOf(area, rarest, number);
  const packed = lead.packed;
  const bits = lead.bits;
  const mask = maskOf(bits);
  const end = lead.start + lead.count;
  const leadOffset = offsetAt(area, rarest);
  let count = 0;
  for (let a = lead.start; a < end; a++) {
    const start = positionAt(packed, bits, mask, a) - leadOffset;
    let isWhole = true;
    for (let i = 0; i < placeCount; i++) {
      if (i == rarest) continue;
      const state = seek(area, i, number, start + offsetAt(area, i));
      if (state == ENDED) return count;
      if (state == MISSED) {
        isWhole = false;
        break;
      }
    }
    count += i32(isWhole);
    if (count == most) break;
  }
  return count;
}

const MISSED: i32 = 0;
const MET: i32 = 1;
const ENDED: i32 = 2;

/** Moves place `i` to its first position at or behind `wanted`. */
function seek(area: Area, i: i32, number: i32, wanted: i32): i32 {
  const term = runOf(area, i, number);
  const packed = term.packed;
  const bits = term.bits;
  const mask = maskOf(bits);
  const first = term.start;
  const count = term.count;
  let at = load<i32>(starts(area) + (<usize>i << 2));
  while (at < count) {
    const position = positionAt(packed, bits, mask, first + at);
    if (position >= wanted) {
      store<i32>(starts(area) + (<usize>i << 2), at);
      return position == wanted ? MET : MISSED;
    }
    at++;
  }
  store<i32>(starts(area) + (<usize>i << 2), at);
  return ENDED;
}
