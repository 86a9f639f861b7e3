/**
 * Encodes an inverted field by kernels: its arrays are handed over in batches of many terms, or of a part of a long one.
 *
 * The arrays may stand anywhere; a batch is copied to where the kernels read it, which costs next to nothing beside encoding.
 */

import type { WrittenPostings } from '../../format/postings/written-postings.ts';
import { JOB_DONE } from '../../kernels/postings-kernels.ts';
import type { SegmentMemory } from '../../memory/segment-memory.ts';
import { NoKernelRoom, PostingsJob, PostingsMemory } from './postings-job.ts';
import { type InvertedField, writeInverted } from './write-inverted.ts';

const WORD_BYTES = 4;
/** What a batch holds at most, but for a term or a document that alone takes more: well below a millisecond of work. */
const TERMS = 2_048;
const POSTINGS = 16_384;
const POSITIONS = 32_768;
const TERM_BYTES = 32 * 1024;
/** Postings and terms. */
const KERNEL_WORK_MIN = 1_000;

/**
 * Writes all terms of a field, by kernels where `memory` has them. `norms`: of each document of the segment, where the field has
 * them. Yields every millisecond or so.
 */
export function* writePostings(
  field: InvertedField,
  norms: Uint8Array | null,
  memory: SegmentMemory,
): Generator<void, WrittenPostings> {
  const kernels = memory.kernels?.postings ?? null;
  // A job takes longer to prepare than a few terms do to write.
  if (memory.kernels === null || kernels === null || field.docs.length + field.order.length < KERNEL_WORK_MIN)
    return yield* writeInverted(field, norms);
  try {
    return yield* encodeInverted(field, norms, new PostingsMemory(memory.kernels, kernels));
  } catch (error) {
    if (!(error instanceof NoKernelRoom)) throw error;
    return yield* writeInverted(field, norms);
  }
}

/** Yields after each batch. Throws `NoKernelRoom` when memory ends on the way. */
export function* encodeInverted(
  field: InvertedField,
  norms: Uint8Array | null,
  memory: PostingsMemory,
): Generator<void, WrittenPostings> {
  try {
    const job = new PostingsJob(memory, field.shape, { bytes: memory.kernels.batchJobBytes(), norms, spill: null });
    const batches = new Batches(field, memory);
    while (batches.next(job.address)) {
      while (job.run(memory.kernels.encodeBatch) !== JOB_DONE) {}
      yield;
    }
    return job.end();
  } finally {
    memory.releaseAll();
  }
}

class Batches {
  private readonly field: InvertedField;
  private readonly memory: PostingsMemory;
  private readonly postingEnds: Uint32Array;
  private readonly termEnds: Uint32Array;
  private readonly docsAt: number;
  private readonly freqsAt: number;
  private termBytes: Uint8Array;
  private positionsAt: number;
  private positionsMax = POSITIONS;
  /** The next term, and of all postings and positions the next. */
  private rank = 0;
  private posting = 0;
  private position = 0;
  /** Terms in the batch. */
  private terms = 0;
  private bytes = 0;
  private postings = 0;
  private positions = 0;

  constructor(field: InvertedField, memory: PostingsMemory) {
    this.field = field;
    this.memory = memory;
    const words = (count: number): number => memory.allocate(count * WORD_BYTES);
    this.postingEnds = memory.wordsAt(words(TERMS), TERMS);
    this.termEnds = memory.wordsAt(words(TERMS), TERMS);
    this.docsAt = words(POSTINGS);
    this.freqsAt = field.freqs === null ? 0 : words(POSTINGS);
    this.termBytes = memory.bytesAt(memory.allocate(TERM_BYTES), TERM_BYTES);
    this.positionsAt = field.positions === null ? 0 : words(POSITIONS);
  }

  /** Hands the next batch to the job; false when there is none. */
  next(job: number): boolean {
    const { field } = this;
    if (this.rank === field.order.length) return false;
    this.terms = 0;
    this.bytes = 0;
    this.postings = 0;
    this.positions = 0;
    while (this.addTerm()) {}
    const isOpen = this.terms === 0;
    if (isOpen) this.addPart();
    this.handOver(job, isOpen);
    this.posting += this.postings;
    this.position += this.positions;
    return true;
  }

  /** Adds the rest of the next term if it fits into the batch. */
  private addTerm(): boolean {
    const { field, rank } = this;
    if (rank === field.order.length || this.terms === TERMS) return false;
    const postings = field.shape.hasPostings ? (field.docStarts[rank + 1] as number) - this.posting : 0;
    const positions = field.positions === null ? 0 : (field.positionStarts[rank + 1] as number) - this.position;
    if (postings > POSTINGS || positions > this.positionsMax) return false;
    if (!this.addBytes()) return false;
    this.postings = postings;
    this.positions = positions;
    this.postingEnds[this.terms] = postings;
    this.termEnds[this.terms] = this.bytes;
    this.terms++;
    this.rank++;
    return true;
  }

  private addBytes(): boolean {
    const { terms, order } = this.field;
    const id = order[this.rank] as number;
    const start = terms.start(id);
    const length = terms.end(id) - start;
    if (this.bytes + length > this.termBytes.length) {
      if (this.terms > 0) return false;
      this.memory.release(this.termBytes.byteOffset);
      this.termBytes = this.memory.bytesAt(this.memory.allocate(length), length);
    }
    const { bytes } = terms;
    const into = this.termBytes;
    // Terms are short: a copy of a few bytes is over before a bulk one has begun.
    for (let i = 0; i < length; i++) into[this.bytes + i] = bytes[start + i] as number;
    this.bytes += length;
    return true;
  }

  /** Adds so many postings of the next term as a batch takes, one at least; the rest of them stay. */
  private addPart(): void {
    const { field, posting } = this;
    const { freqs, positions } = field;
    const end = Math.min(field.docStarts[this.rank + 1] as number, posting + POSTINGS);
    let at = posting;
    let count = 0;
    while (positions !== null && at < end) {
      const more = freqs === null ? 1 : (freqs[at] as number);
      if (count + more > this.positionsMax && at > posting) break;
      count += more;
      at++;
    }
    this.postings = positions === null ? end - posting : at - posting;
    this.positions = count;
    this.postingEnds[0] = this.postings;
    this.termEnds[0] = 0;
    this.terms = 1;
  }

  private handOver(job: number, isOpen: boolean): void {
    const { field, memory, posting, postings, position, positions, docsAt, freqsAt } = this;
    if (field.positions !== null && positions > this.positionsMax) {
      memory.release(this.positionsAt);
      this.positionsMax = positions;
      this.positionsAt = memory.allocate(positions * WORD_BYTES);
    }
    const copy = (at: number, from: Uint32Array, start: number, count: number): void =>
      memory.wordsAt(at, count).set(from.subarray(start, start + count));
    copy(docsAt, field.docs, posting, postings);
    if (field.freqs !== null) copy(freqsAt, field.freqs, posting, postings);
    if (field.positions !== null) copy(this.positionsAt, field.positions, position, positions);
    const { positionsAt } = this;
    memory.kernels.setBatch(
      job,
      this.terms,
      isOpen ? 1 : 0,
      this.postingEnds.byteOffset,
      this.termEnds.byteOffset,
      this.termBytes.byteOffset,
      docsAt,
      freqsAt,
      positionsAt,
    );
  }
}
