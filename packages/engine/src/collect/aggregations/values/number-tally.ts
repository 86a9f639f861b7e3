/**
 * Counts documents by small numbers: ordinals, codes, numbers of keys.
 *
 * Documents side by side tend to have the same number, and a count that was just written is slow to be read again: where numbers are few,
 * neighbours count in lanes of their own, which are added up at the end.
 */
import { assert } from '@shoal/core';
import type { DocBatch } from '../collector/doc-batch.ts';

/** Lanes of a tally of few numbers: a power of two. */
const LANES = 4;
/** Most numbers for which there are lanes: all of them stay in the processor's nearest cache. */
const LANED_MAX = 2_048;

/** Number of each document of a segment, as its column stands. */
export type FlatNumbers = Uint8Array | Uint16Array | Uint32Array;

/** The first `length` are numbers. */
export interface ReadNumbers {
  readonly values: Uint32Array;
  readonly length: number;
}

export class NumberTally {
  readonly size: number;
  /** Counts by number to which documents may be added that were counted elsewhere: those that are added here stand in them at the end. */
  readonly counts: Uint32Array;
  /** Lane behind lane; the first is `counts`. */
  private readonly lanes: Uint32Array;
  private readonly isLaned: boolean;

  /** @param size every number is below */
  constructor(size: number) {
    this.size = size;
    this.isLaned = size > 0 && size <= LANED_MAX;
    this.lanes = new Uint32Array(this.isLaned ? size * LANES : size);
    this.counts = this.isLaned ? this.lanes.subarray(0, size) : this.lanes;
  }

  get memoryBytes(): number {
    return this.lanes.byteLength;
  }

  /** Numbers that were read. */
  add({ values, length }: ReadNumbers): void {
    assert(length <= values.length, `${length} of ${values.length} numbers`);
    if (this.isLaned) countLaned(values, 0, length, this.lanes);
    else countWords(values, 0, length, this.lanes);
  }

  /** Numbers of the documents of a batch, where every document of the segment has one. */
  addFlat(flat: FlatNumbers, batch: DocBatch): void {
    const { lanes, isLaned } = this;
    const { from, count } = batch;
    if (from < 0) countListed(flat, batch.docs, count, lanes);
    else if (isLaned) countLaned(flat, from, from + count, lanes);
    else if (flat instanceof Uint16Array) countShorts(flat, from, from + count, lanes);
    else countWords(flat, from, from + count, lanes);
  }

  /** Calls `take` for each number with documents, and begins anew. */
  drain(take: (number: number, count: number) => void): void {
    const counts = this.finish();
    for (let number = 0; number < counts.length; number++) {
      const count = counts[number] as number;
      if (count > 0) take(number, count);
    }
    this.lanes.fill(0);
  }

  /** The counts by number. Nothing is added afterwards. */
  finish(): Uint32Array {
    const { counts, lanes, size, isLaned } = this;
    if (!isLaned) return counts;
    for (let at = size; at < lanes.length; at += size) {
      for (let number = 0; number < size; number++) {
        counts[number] = (counts[number] as number) + (lanes[at + number] as number);
      }
    }
    return counts;
  }
}

/** One loop for each width of numbers: with several in one, each step would ask which it is. */
function countLaned(flat: FlatNumbers, from: number, to: number, lanes: Uint32Array): void {
  if (flat instanceof Uint8Array) countBytesLaned(flat, from, to, lanes);
  else if (flat instanceof Uint16Array) countShortsLaned(flat, from, to, lanes);
  else countWordsLaned(flat, from, to, lanes);
}

function countBytesLaned(flat: Uint8Array, from: number, to: number, lanes: Uint32Array): void {
  const size = lanes.length / LANES;
  const [second, third, fourth] = [size, 2 * size, 3 * size];
  let i = from;
  for (; i + LANES <= to; i += LANES) {
    const a = flat[i] as number;
    const b = second + (flat[i + 1] as number);
    const c = third + (flat[i + 2] as number);
    const d = fourth + (flat[i + 3] as number);
    lanes[a] = (lanes[a] as number) + 1;
    lanes[b] = (lanes[b] as number) + 1;
    lanes[c] = (lanes[c] as number) + 1;
    lanes[d] = (lanes[d] as number) + 1;
  }
  for (; i < to; i++) lanes[flat[i] as number] = (lanes[flat[i] as number] as number) + 1;
}

function countShortsLaned(flat: Uint16Array, from: number, to: number, lanes: Uint32Array): void {
  const size = lanes.length / LANES;
  const [second, third, fourth] = [size, 2 * size, 3 * size];
  let i = from;
  for (; i + LANES <= to; i += LANES) {
    const a = flat[i] as number;
    const b = second + (flat[i + 1] as number);
    const c = third + (flat[i + 2] as number);
    const d = fourth + (flat[i + 3] as number);
    lanes[a] = (lanes[a] as number) + 1;
    lanes[b] = (lanes[b] as number) + 1;
    lanes[c] = (lanes[c] as number) + 1;
    lanes[d] = (lanes[d] as number) + 1;
  }
  for (; i < to; i++) lanes[flat[i] as number] = (lanes[flat[i] as number] as number) + 1;
}

function countWordsLaned(flat: Uint32Array, from: number, to: number, lanes: Uint32Array): void {
  const size = lanes.length / LANES;
  const [second, third, fourth] = [size, 2 * size, 3 * size];
  let i = from;
  for (; i + LANES <= to; i += LANES) {
    const a = flat[i] as number;
    const b = second + (flat[i + 1] as number);
    const c = third + (flat[i + 2] as number);
    const d = fourth + (flat[i + 3] as number);
    lanes[a] = (lanes[a] as number) + 1;
    lanes[b] = (lanes[b] as number) + 1;
    lanes[c] = (lanes[c] as number) + 1;
    lanes[d] = (lanes[d] as number) + 1;
  }
  for (; i < to; i++) lanes[flat[i] as number] = (lanes[flat[i] as number] as number) + 1;
}

function countShorts(flat: Uint16Array, from: number, to: number, counts: Uint32Array): void {
  for (let i = from; i < to; i++) {
    const number = flat[i] as number;
    counts[number] = (counts[number] as number) + 1;
  }
}

function countWords(flat: FlatNumbers, from: number, to: number, counts: Uint32Array): void {
  for (let i = from; i < to; i++) {
    const number = flat[i] as number;
    counts[number] = (counts[number] as number) + 1;
  }
}

function countListed(flat: FlatNumbers, docs: Uint32Array, count: number, lanes: Uint32Array): void {
  if (flat instanceof Uint8Array) countListedBytes(flat, docs, count, lanes);
  else if (flat instanceof Uint16Array) countListedShorts(flat, docs, count, lanes);
  else countListedWords(flat, docs, count, lanes);
}

function countListedBytes(flat: Uint8Array, docs: Uint32Array, count: number, lanes: Uint32Array): void {
  for (let i = 0; i < count; i++) {
    const number = flat[docs[i] as number] as number;
    lanes[number] = (lanes[number] as number) + 1;
  }
}

function countListedShorts(flat: Uint16Array, docs: Uint32Array, count: number, lanes: Uint32Array): void {
  for (let i = 0; i < count; i++) {
    const number = flat[docs[i] as number] as number;
    lanes[number] = (lanes[number] as number) + 1;
  }
}

function countListedWords(flat: Uint32Array, docs: Uint32Array, count: number, lanes: Uint32Array): void {
  for (let i = 0; i < count; i++) {
    const number = flat[docs[i] as number] as number;
    lanes[number] = (lanes[number] as number) + 1;
  }
}
