/**
 * Encodes terms whose postings were gathered before, many of them a call: what indexing leaves behind.
 */
import { BLOCK } from '../shared/postings-format.ts';
import { docsOf, Encoder, ENCODER_BYTES, freqsOf } from './encoder-state.ts';
import { askRoom, askTermRoom, beginTerm, DONE, endBlock, endTerm } from './postings-encoder.ts';

/** Behind the encoder in a job: terms whose postings follow each other, and the positions of those. */
@unmanaged
export class Batch {
  termCount: u32;
  /** Postings of the last term go on in the next batch. */
  isOpen: i32;
  /** Where each term's postings and bytes end. */
  postingEnds: usize;
  termEnds: usize;
  termBytes: usize;
  docs: usize;
  /** 0: every document has its term once. */
  freqs: usize;
  positions: usize;
  /** What is done: terms of this batch, postings, positions. */
  term: u32;
  posting: u32;
  position: u32;
  /** A term is under way, maybe since a batch before. */
  isInTerm: i32;
}

export const BATCH_JOB_BYTES: usize = ENCODER_BYTES + 64;

@inline
export function batchOf(job: Encoder): Batch {
  return changetype<Batch>(changetype<usize>(job) + ENCODER_BYTES);
}

/** Encodes the rest of the batch. */
export function encodeBatch(job: Encoder): i32 {
  const batch = batchOf(job);
  while (batch.term < batch.termCount) {
    const at = <usize>batch.term << 2;
    if (!batch.isInTerm) beginTerm(job);
    batch.isInTerm = 1;
    const why = appendPostings(job, batch, load<u32>(batch.postingEnds + at));
    if (why != DONE) return why;
    if (batch.isOpen && batch.term + 1 == batch.termCount) return DONE;
    const start: u32 = batch.term == 0 ? 0 : load<u32>(batch.termEnds + at - 4);
    const length = load<u32>(batch.termEnds + at) - start;
    const whyNot = askTermRoom(job, length);
    if (whyNot != DONE) return whyNot;
    endTerm(job, batch.termBytes + start, length);
    batch.isInTerm = 0;
    batch.term++;
  }
  return DONE;
}

/** Appends the term's postings up to `end`, a block at a time. */
function appendPostings(job: Encoder, batch: Batch, end: u32): i32 {
  while (batch.posting < end) {
    const at = <usize>batch.posting << 2;
    const count = min(<u32>(BLOCK - job.inBlock), end - batch.posting);
    const bytes = <usize>count << 2;
    const open = <usize>job.inBlock << 2;
    const freqs = freqsOf(job) + open;
    let sum: u32 = count;
    if (batch.freqs != 0) {
      sum = 0;
      for (let i: usize = 0; i < bytes; i += 4) {
        const freq = load<u32>(batch.freqs + at + i);
        store<u32>(freqs + i, freq);
        sum += freq;
      }
    } else for (let i: usize = 0; i < bytes; i += 4) store<u32>(freqs + i, 1);
    const why = askRoom(job, job.hasPositions ? sum : 0);
    if (why != DONE) return why;
    const docs = docsOf(job) + open;
    for (let i: usize = 0; i < bytes; i += 4) store<i32>(docs + i, load<i32>(batch.docs + at + i));
    if (job.hasPositions) {
      const pending = job.pending + (<usize>job.pendingCount << 2);
      const positions = batch.positions + (<usize>batch.position << 2);
      for (let i: usize = 0; i < <usize>sum << 2; i += 4) store<u32>(pending + i, load<u32>(positions + i));
      job.pendingCount += sum;
      batch.position += sum;
    }
    job.lastDoc = load<i32>(docs + bytes - 4);
    job.docFreq += count;
    job.totalFreq += <u64>sum;
    job.inBlock += <i32>count;
    batch.posting += count;
    if (job.inBlock == BLOCK) endBlock(job);
  }
  return DONE;
}
