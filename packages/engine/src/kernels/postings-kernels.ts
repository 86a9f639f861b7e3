/**
 * The kernels that write postings, as functions over a thread's segment memory. Their sources and what each does:
 * packages/engine/kernels/postings/postings-kernels.ts.
 *
 * Addresses are byte offsets into the memory. Nothing is checked on the other side: what is passed must be right.
 */

import { type GrowingMemory, instantiate } from '@shoal/core';
import { KERNEL_BYTES_BASE64 } from './generated/postings-kernel-bytes.ts';

/** Answers of kernels that may stop half way and are called again; 1: the budget is used up. */
export const JOB_DONE = 0;
/** Streams are to be emptied. */
export const JOB_FULL = 2;
/** They are to be emptied, and made larger: see `wantedPositions` and `wantedTermBytes`. */
export const JOB_SMALL = 3;

/** The next blocks of an input are to be given, see `starvedInput`. */
export const JOB_STARVED = 4;

export interface PostingsKernels {
  batchJobBytes(): number;
  mergeJobBytes(inputCount: number): number;
  /** Clears the job. */
  beginJob(job: number, bytes: number, hasFreqs: number, hasPositions: number, norms: number): void;
  setStream(job: number, index: number, start: number, length: number): void;
  setPending(job: number, pending: number, capacity: number): void;
  streamLength(job: number, index: number): number;
  emptyStreams(job: number): void;
  wantedPositions(job: number): number;
  wantedTermBytes(job: number): number;
  termCountOf(job: number): number;
  termLengthOf(job: number): number;
  sumDocFreqOf(job: number): number;
  sumTotalFreqOf(job: number): number;
  normMinOf(job: number): number;
  normMaxOf(job: number): number;
  setBatch(
    job: number,
    termCount: number,
    isOpen: number,
    postingEnds: number,
    termEnds: number,
    termBytes: number,
    docs: number,
    freqs: number,
    positions: number,
  ): void;
  encodeBatch(job: number): number;
  setMerge(job: number, inputCount: number, hasPostings: number, seen: number): void;
  setInputTerms(
    job: number,
    index: number,
    termCount: number,
    termLength: number,
    termStarts: number,
    termBytes: number,
    docFreqs: number,
    postingsAt: number,
    totalFreqs: number,
  ): void;
  setInputSections(
    job: number,
    index: number,
    lists: number,
    lastDocs: number,
    blockData: number,
    blockBits: number,
    packed: number,
    blockPositions: number,
    positions: number,
    blocksEnd: number,
  ): void;
  setInputMaps(job: number, index: number, docMap: number, docBase: number, used: number, ordinals: number): void;
  beginMerge(job: number): void;
  mergeSome(job: number, budget: number): number;
  /** Number of the input that `mergeSome` wants more blocks of. */
  starvedInput(job: number): number;
}

/** null where the processor or the JavaScript engine lacks SIMD. */
export function loadPostingsKernels(memory: GrowingMemory): PostingsKernels | null {
  // The module is ours, and its exports are those that the interface names: a test calls each.
  return instantiate(KERNEL_BYTES_BASE64, memory) as PostingsKernels | null;
}
