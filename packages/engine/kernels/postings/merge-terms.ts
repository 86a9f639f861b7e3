/**
 * Merges the terms of one field of several segments: the next in order, with the documents of every segment that has it.
 *
 * What is under way is in the job, so that a term of any length is worked on a few blocks at a time.
 */
import { compareRest, Input, INPUT_BYTES, readRun, readTerm, Run, runDocs, runFreqs, RUN_BYTES, runStarts } from './merge-input.ts';
import { BLOCK } from '../shared/postings-format.ts';
import { unpackRun } from './pack.ts';
import { docsOf, Encoder, ENCODER_BYTES, freqsOf } from './encoder-state.ts';
import { askRoom, askTermRoom, beginTerm, DONE, endBlock, endTerm, PAUSED } from './postings-encoder.ts';

/** Behind the encoder in a job. */
@unmanaged
export class Merge {
  hasPostings: i32;
  /** A byte a document, set where it has a term; 0: nobody asks. */
  seen: usize;
  inputCount: i32;
  /** Inputs that have a next term; of them, those that have the one at hand. */
  activeCount: i32;
  holderCount: i32;
  isInTerm: i32;
  term: usize;
  length: u32;
  /** Where the term at hand goes on: holder, and block of its input. */
  holder: i32;
  block: u32;
  ordinal: u32;
  docFreq: u32;
  isLive: i32;
}

/** The next blocks of an input are not there: it is called again when they are. */
const STARVED: i32 = 4;

const MERGE_AT: usize = ENCODER_BYTES;
const RUN_AT: usize = MERGE_AT + 64;
const INPUTS_AT: usize = RUN_AT + RUN_BYTES + 16;
/** Bytes for an input: itself, and its slots among the active and the holders. */
const SHARE_BYTES: usize = INPUT_BYTES + 8;

export function jobBytes(inputCount: i32): usize {
  return INPUTS_AT + <usize>inputCount * SHARE_BYTES;
}

@inline
export function mergeOf(job: Encoder): Merge {
  return changetype<Merge>(changetype<usize>(job) + MERGE_AT);
}

@inline
function runOf(job: Encoder): Run {
  return changetype<Run>(changetype<usize>(job) + RUN_AT);
}

@inline
export function inputOf(job: Encoder, index: i32): Input {
  return changetype<Input>(changetype<usize>(job) + INPUTS_AT + <usize>index * INPUT_BYTES);
}

@inline
function activeOf(job: Encoder, merge: Merge): usize {
  return changetype<usize>(job) + INPUTS_AT + <usize>merge.inputCount * INPUT_BYTES;
}

@inline
function holdersOf(job: Encoder, merge: Merge): usize {
  return activeOf(job, merge) + (<usize>merge.inputCount << 2);
}

@inline
function inputAt(list: usize, index: i32): Input {
  return changetype<Input>(<usize>load<u32>(list + (<usize>index << 2)));
}

/** All inputs are set. */
export function beginMerge(job: Encoder): void {
  const merge = mergeOf(job);
  const active = activeOf(job, merge);
  for (let i = 0; i < merge.inputCount; i++) {
    const input = inputOf(job, i);
    input.next = 0;
    if (!readTerm(input)) continue;
    store<u32>(active + (<usize>merge.activeCount << 2), <u32>changetype<usize>(input));
    merge.activeCount++;
  }
}

/** Finds the smallest next term and who has it; false when there is none. */
function findTerm(job: Encoder, merge: Merge): bool {
  const count = merge.activeCount;
  if (count == 0) return false;
  const active = activeOf(job, merge);
  const holders = holdersOf(job, merge);
  let best = inputAt(active, 0);
  let prefix = best.prefix;
  let found = 1;
  store<u32>(holders, <u32>changetype<usize>(best));
  for (let i = 1; i < count; i++) {
    const input = inputAt(active, i);
    if (input.prefix > prefix) continue;
    const order = input.prefix < prefix ? -1 : compareRest(input, best);
    if (order > 0) continue;
    if (order < 0) {
      best = input;
      prefix = input.prefix;
      found = 0;
    }
    store<u32>(holders + (<usize>(found++) << 2), <u32>changetype<usize>(input));
  }
  merge.holderCount = found;
  merge.term = best.term;
  merge.length = best.length;
  return true;
}

/** Leaves the holders' terms behind. */
function passTerm(job: Encoder, merge: Merge): void {
  const holders = holdersOf(job, merge);
  let isAnyDone = false;
  for (let i = 0; i < merge.holderCount; i++) {
    const input = inputAt(holders, i);
    input.next++;
    if (!readTerm(input)) isAnyDone = true;
  }
  if (!isAnyDone) return;
  const active = activeOf(job, merge);
  let kept = 0;
  for (let i = 0; i < merge.activeCount; i++) {
    const input = inputAt(active, i);
    if (input.next < input.termCount) store<u32>(active + (<usize>(kept++) << 2), <u32>changetype<usize>(input));
  }
  merge.activeCount = kept;
}

/** Works on about `budget` blocks and terms. */
export function mergeSome(job: Encoder, budget: i32): i32 {
  const merge = mergeOf(job);
  let left = budget;
  while (true) {
    if (!merge.isInTerm) {
      if (left <= 0) return PAUSED;
      if (!findTerm(job, merge)) return DONE;
      merge.isInTerm = 1;
      merge.holder = 0;
      beginTerm(job);
      beginShare(job, merge);
    }
    while (merge.holder < merge.holderCount) {
      if (left <= 0) return PAUSED;
      const why = appendShare(job, merge);
      if (why != DONE) return why;
      left--;
    }
    if (isKept(job, merge)) {
      const why = askTermRoom(job, merge.length);
      if (why != DONE) return why;
      endTerm(job, merge.term, merge.length);
    }
    passTerm(job, merge);
    merge.isInTerm = 0;
    left--;
  }
}

/** Some live document has the term at hand, as far as it is known. */
@inline
function isKept(job: Encoder, merge: Merge): bool {
  return merge.hasPostings ? job.docFreq > 0 : merge.isLive != 0;
}

/** Stands before the first block of the next holder's postings. */
function beginShare(job: Encoder, merge: Merge): void {
  if (merge.holder == 0) merge.isLive = 0;
  if (merge.holder == merge.holderCount) return;
  const input = inputAt(holdersOf(job, merge), merge.holder);
  merge.block = 0;
  merge.ordinal = input.next;
  merge.docFreq =
    !merge.hasPostings ? 0 : input.docFreqs == 0 ? 1 : load<u32>(input.docFreqs + (<usize>merge.ordinal << 2));
  const run = runOf(job);
  run.at = 0;
  run.count = 0;
}

/** Appends one block of the holder at hand, or says that it has no more. */
function appendShare(job: Encoder, merge: Merge): i32 {
  const input = inputAt(holdersOf(job, merge), merge.holder);
  const run = runOf(job);
  if (run.at == run.count && merge.block * <u32>BLOCK < merge.docFreq) {
    if (isBehind(input, merge)) return STARVED;
    readRun(run, input, merge.ordinal, merge.docFreq, merge.block, job.hasFreqs, job.hasPositions);
    merge.block++;
  }
  if (run.at < run.count) noteOrdinal(job, merge, input);
  while (run.at < run.count) {
    const why = appendRun(job, run, merge.seen);
    if (why != DONE) return why;
  }
  if (merge.block * <u32>BLOCK < merge.docFreq) return DONE;
  if (!merge.hasPostings && (input.used == 0 || load<u8>(input.used + <usize>merge.ordinal) != 0)) {
    merge.isLive = 1;
    noteOrdinal(job, merge, input);
  }
  merge.holder++;
  beginShare(job, merge);
  return DONE;
}

/** The block at hand is not there yet. */
@inline
function isBehind(input: Input, merge: Merge): bool {
  if (merge.docFreq < <u32>BLOCK) return false;
  return load<u32>(input.postingsAt + (<usize>merge.ordinal << 2)) + merge.block >= input.blocksEnd;
}

/** Number of the input whose next blocks are waited for. */
export function starvedInput(job: Encoder): i32 {
  const merge = mergeOf(job);
  const input = changetype<usize>(inputAt(holdersOf(job, merge), merge.holder));
  return <i32>((input - changetype<usize>(job) - INPUTS_AT) / INPUT_BYTES);
}

/** A live document of the input has the term, which gets its number when it ends. */
@inline
function noteOrdinal(job: Encoder, merge: Merge, input: Input): void {
  if (input.ordinals != 0) store<u32>(input.ordinals + (<usize>merge.ordinal << 2), job.termCount);
}

/** Appends so much of the run as the open block takes. */
function appendRun(job: Encoder, run: Run, seen: usize): i32 {
  const at = <usize>run.at << 2;
  const count = min(BLOCK - job.inBlock, run.count - run.at);
  const bytes = <usize>count << 2;
  const freqs = runFreqs(run) + at;
  let sum: u32 = 0;
  for (let i: usize = 0; i < bytes; i += 4) sum += load<u32>(freqs + i);
  const why = askRoom(job, job.hasPositions ? sum : 0);
  if (why != DONE) return why;
  const docs = runDocs(run) + at;
  const open = <usize>job.inBlock << 2;
  copyWords(docsOf(job) + open, docs, bytes);
  copyWords(freqsOf(job) + open, freqs, bytes);
  if (seen != 0) for (let i: usize = 0; i < bytes; i += 4) store<u8>(seen + <usize>load<i32>(docs + i), 1);
  if (job.hasPositions) {
    appendPositions(job, run, count, sum);
    job.pendingCount += sum;
  }
  job.lastDoc = load<i32>(docs + bytes - 4);
  job.docFreq += count;
  job.totalFreq += <u64>sum;
  job.inBlock += count;
  run.at += count;
  if (job.inBlock == BLOCK) endBlock(job);
  return DONE;
}

@inline
function copyWords(to: usize, from: usize, bytes: usize): void {
  for (let i: usize = 0; i < bytes; i += 4) store<u32>(to + i, load<u32>(from + i));
}

function appendPositions(job: Encoder, run: Run, count: i32, sum: u32): void {
  let into = job.pending + (<usize>job.pendingCount << 2);
  if (!run.isThinned) {
    unpackRun(run.positions, run.positionBits, run.positionAt, sum, into);
    run.positionAt += sum;
    return;
  }
  const freqs = runFreqs(run);
  const starts = runStarts(run);
  for (let i = <usize>run.at << 2, end = i + (<usize>count << 2); i < end; i += 4) {
    const freq = load<u32>(freqs + i);
    unpackRun(run.positions, run.positionBits, load<u32>(starts + i), freq, into);
    into += <usize>freq << 2;
  }
}
