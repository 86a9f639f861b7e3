/**
 * All matches of any or all of several terms, a batch at a time: for whoever wants each of them, not only the best.
 *
 * A batch is what the candidates of the area are when a call ends. Nothing is pruned and nothing counted.
 */
import { Area, candidateDocs, candidateScores, countsWindow, isAccepted, ordered } from './area.ts';
import { addScores, keepAccepted, keepCommon, scoreBlock } from './candidates.ts';
import { mark } from './count.ts';
import { BLOCK, NO_MORE_DOCS } from '../shared/postings-format.ts';
import { decodeDocs, docsOf, Term } from './term.ts';
import { accumulate, collect } from './window.ts';

/** Documents of a window, and matches of a batch at most. */
const BATCH: i32 = 2048;
const BATCH_BLOCKS: i32 = BATCH / BLOCK;
/** The segment has no more matches. */
const NO_MORE: i32 = -1;
/** Windows or batches without a match that one call goes on over. */
const EMPTY_MAX: i32 = 64;

/** Next matches of one term; returns how many, or -1 behind the last. */
export function nextOfTerm(area: Area, isScored: bool): i32 {
  const term = ordered(area, 0);
  for (let tries = 0; tries < EMPTY_MAX; tries++) {
    if (area.next >= term.blockCount) return NO_MORE;
    const count = nextBlocks(area, term, isScored);
    if (count > 0) return count;
  }
  return 0;
}

/** Makes candidates of the documents of the next blocks of a term. */
function nextBlocks(area: Area, term: Term, isScored: bool): i32 {
  const stop = min(area.next + BATCH_BLOCKS, term.blockCount);
  let count = 0;
  for (let block = area.next; block < stop; block++) {
    term.block = block;
    term.at = 0;
    if (isScored) count = scoreBlock(area, term, block, 0, NO_MORE_DOCS, count, 0);
    else count = appendDocs(area, term, block, count);
  }
  area.next = stop;
  return kept(area, count, isScored);
}

function appendDocs(area: Area, term: Term, block: i32, count: i32): i32 {
  decodeDocs(term, block);
  memory.copy(candidateDocs(area) + (<usize>count << 2), docsOf(term), <usize>term.count << 2);
  return count + term.count;
}

/** Next matches of any of several terms; returns how many, or -1 behind the last. */
export function nextOfAny(area: Area, isScored: bool): i32 {
  const docCount = area.docCount;
  for (let tries = 0; tries < EMPTY_MAX; tries++) {
    const base = area.next;
    if (base >= docCount) return NO_MORE;
    const end = min(base + BATCH, docCount);
    area.next = end;
    let count = 0;
    if (isScored) {
      for (let i = 0; i < area.termCount; i++) accumulate(area, ordered(area, i), base, end);
      count = collect(area, base, end - base, 0);
    } else {
      for (let i = 0; i < area.termCount; i++) mark(area, ordered(area, i), base, end, false);
      count = listMarks(area, base, end);
    }
    count = kept(area, count, isScored);
    if (count > 0) return count;
  }
  return 0;
}

/** Makes candidates of the marked documents, and clears the marks. */
function listMarks(area: Area, base: i32, end: i32): i32 {
  const start = countsWindow(area);
  const stop = start + <usize>((end - base + 15) & ~15);
  const docs = candidateDocs(area);
  const zeros = i8x16.splat(0);
  let count = 0;
  for (let p = start; p < stop; p += 16) {
    let mask = <u32>i8x16.bitmask(i8x16.ne(v128.load(p), zeros));
    v128.store(p, zeros);
    const doc = base + <i32>(p - start);
    while (mask != 0) {
      store<i32>(docs + (<usize>count << 2), doc + <i32>ctz(mask));
      mask &= mask - 1;
      count++;
    }
  }
  return count;
}

/** Next matches of all of several terms, by blocks of the rarest, which is the first; returns how many, or -1 behind the last. */
export function nextOfAll(area: Area, isScored: bool): i32 {
  const lead = ordered(area, 0);
  for (let tries = 0; tries < EMPTY_MAX; tries++) {
    if (area.next >= lead.blockCount) return NO_MORE;
    let count = nextBlocks(area, lead, isScored);
    for (let i = 1; i < area.termCount && count > 0; i++) {
      const term = ordered(area, i);
      count = isScored ? addScores(area, term, count, true, 0) : keepCommon(area, term, count);
    }
    if (count > 0) return count;
  }
  return 0;
}

/** Drops what is deleted or filtered out. */
@inline
function kept(area: Area, count: i32, isScored: bool): i32 {
  const accept = area.accept;
  if (accept == 0) return count;
  if (isScored) return keepAccepted(area, count);
  const docs = candidateDocs(area);
  let left = 0;
  for (let i = 0; i < count; i++) {
    const doc = load<i32>(docs + (<usize>i << 2));
    store<i32>(docs + (<usize>left << 2), doc);
    left += i32(isAccepted(accept, doc));
  }
  return left;
}

/** Makes the first `count` scores of the batch float32, one behind the other. */
export function narrowScores(area: Area, count: i32): void {
  const scores = candidateScores(area);
  // A number is written where one was that has been read.
  for (let i = 0; i < count; i++) {
    store<f32>(scores + (<usize>i << 2), <f32>load<f64>(scores + (<usize>i << 3)));
  }
}
