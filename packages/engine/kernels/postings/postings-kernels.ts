/**
 * The kernels that write postings: what TypeScript calls, for fields that are sealed and for fields that are merged.
 *
 * Functions take the address of a job, which is clear when it begins. TypeScript never writes to it by itself.
 */
import { beginMerge, inputOf, jobBytes, mergeOf, mergeSome, starvedInput } from './merge-terms.ts';
import { Encoder, Stream, stream, STREAMS } from './encoder-state.ts';
import { beginEncoder } from './postings-encoder.ts';
import { BATCH_JOB_BYTES, batchOf, encodeBatch } from './term-batch.ts';

export { beginMerge, encodeBatch, mergeSome, starvedInput };

export function batchJobBytes(): usize {
  return BATCH_JOB_BYTES;
}

export function mergeJobBytes(inputCount: i32): usize {
  return jobBytes(inputCount);
}

/** Clears the job. */
export function beginJob(job: Encoder, bytes: usize, hasFreqs: i32, hasPositions: i32, norms: usize): void {
  memory.fill(changetype<usize>(job), 0, bytes);
  job.hasFreqs = hasFreqs;
  job.hasPositions = hasPositions;
  beginEncoder(job, norms);
}

/** Where a stream goes; it holds nothing that the caller does not have. */
export function setStream(job: Encoder, index: i32, start: usize, length: usize): void {
  const to = stream(job, index);
  to.start = start;
  to.at = start;
  to.end = start + length;
}

/** Where positions of the open block are kept; those that there are are moved. */
export function setPending(job: Encoder, pending: usize, capacity: u32): void {
  memory.copy(pending, job.pending, <usize>job.pendingCount << 2);
  job.pending = pending;
  job.pendingMax = capacity;
}

/** Bytes that a stream holds. */
export function streamLength(job: Encoder, index: i32): usize {
  const to = stream(job, index);
  return to.at - to.start;
}

/** The caller took what all streams hold. */
export function emptyStreams(job: Encoder): void {
  for (let i = 0; i < STREAMS; i++) {
    const to: Stream = stream(job, i);
    to.before += <u32>(to.at - to.start);
    to.at = to.start;
  }
}

export function wantedPositions(job: Encoder): u32 {
  return job.wantedPositions;
}

export function wantedTermBytes(job: Encoder): u32 {
  return job.wantedTermBytes;
}

export function termCountOf(job: Encoder): u32 {
  return job.termCount;
}

export function termLengthOf(job: Encoder): u32 {
  return job.termLength;
}

export function sumDocFreqOf(job: Encoder): f64 {
  return job.sumDocFreq;
}

export function sumTotalFreqOf(job: Encoder): f64 {
  return job.sumTotalFreq;
}

export function normMinOf(job: Encoder): u32 {
  return job.normMin;
}

export function normMaxOf(job: Encoder): u32 {
  return job.normMax;
}

/** A batch of terms for `encodeBatch`. */
export function setBatch(
  job: Encoder,
  termCount: u32,
  isOpen: i32,
  postingEnds: usize,
  termEnds: usize,
  termBytes: usize,
  docs: usize,
  freqs: usize,
  positions: usize,
): void {
  const batch = batchOf(job);
  batch.termCount = termCount;
  batch.isOpen = isOpen;
  batch.postingEnds = postingEnds;
  batch.termEnds = termEnds;
  batch.termBytes = termBytes;
  batch.docs = docs;
  batch.freqs = freqs;
  batch.positions = positions;
  batch.term = 0;
  batch.posting = 0;
  batch.position = 0;
}

/** `seen`: gets a 1 for each document with a term; 0: nobody asks. */
export function setMerge(job: Encoder, inputCount: i32, hasPostings: i32, seen: usize): void {
  const merge = mergeOf(job);
  merge.inputCount = inputCount;
  merge.hasPostings = hasPostings;
  merge.seen = seen;
}

export function setInputTerms(
  job: Encoder,
  index: i32,
  termCount: u32,
  termLength: u32,
  termStarts: usize,
  termBytes: usize,
  docFreqs: usize,
  postingsAt: usize,
  totalFreqs: usize,
): void {
  const input = inputOf(job, index);
  input.termCount = termCount;
  input.termLength = termLength;
  input.termStarts = termStarts;
  input.termBytes = termBytes;
  input.docFreqs = docFreqs;
  input.postingsAt = postingsAt;
  input.totalFreqs = totalFreqs;
}

/** Sections from whose addresses the offsets in the segment lead to what is there: blocks before `blocksEnd`. */
export function setInputSections(
  job: Encoder,
  index: i32,
  lists: usize,
  lastDocs: usize,
  blockData: usize,
  blockBits: usize,
  packed: usize,
  blockPositions: usize,
  positions: usize,
  blocksEnd: u32,
): void {
  const input = inputOf(job, index);
  input.blocksEnd = blocksEnd;
  input.lists = lists;
  input.lastDocs = lastDocs;
  input.blockData = blockData;
  input.blockBits = blockBits;
  input.packed = packed;
  input.blockPositions = blockPositions;
  input.positions = positions;
}

export function setInputMaps(job: Encoder, index: i32, docMap: usize, docBase: i32, used: usize, ordinals: usize): void {
  const input = inputOf(job, index);
  input.docMap = docMap;
  input.docBase = docBase;
  input.used = used;
  input.ordinals = ordinals;
}
