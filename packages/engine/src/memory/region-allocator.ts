/**
 * Allocator of regions in a memory that grows.
 *
 * WebAssembly memory never shrinks, so that what is freed must be found again: free ranges are kept in order and joined
 * with their neighbours, and the smallest that fits is taken.
 */
import { assert } from '@shoal/core';

/** Alignment of every region, in bytes: a cache line, so that two regions never share one. */
const ALIGNMENT = 64;

interface FreeRange {
  start: number;
  length: number;
}

export class RegionAllocator {
  private readonly free: FreeRange[] = [];
  private readonly lengths = new Map<number, number>();
  /** Makes the memory at least so long; false when it cannot. */
  private readonly growTo: (length: number) => boolean;
  private end: number;
  /** Bytes given out. */
  usedBytes = 0;

  /** Regions stand in [start, ...); `start` is a multiple of 64 above 0. */
  constructor(start: number, growTo: (length: number) => boolean) {
    assert(start > 0 && start % ALIGNMENT === 0, `regions cannot start at ${start}`);
    this.end = start;
    this.growTo = growTo;
  }

  /** The address of `bytes` bytes of any content; 0 when there is no room. */
  allocate(bytes: number): number {
    assert(bytes >= 0, `a region of ${bytes} bytes`);
    const length = Math.max(ALIGNMENT, Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);
    const start = this.takeFree(length) ?? this.takeNew(length);
    if (start === 0) return 0;
    assert(start % ALIGNMENT === 0 && start + length <= this.end, `region ${start}+${length} beyond ${this.end}`);
    assert(!this.lengths.has(start), `region ${start} is given out twice`);
    this.lengths.set(start, length);
    this.usedBytes += length;
    return start;
  }

  private takeFree(length: number): number | null {
    let best = -1;
    for (let i = 0; i < this.free.length; i++) {
      const there = (this.free[i] as FreeRange).length;
      if (there >= length && (best < 0 || there < (this.free[best] as FreeRange).length)) best = i;
    }
    const stretch = this.free[best];
    if (stretch === undefined) return null;
    const { start } = stretch;
    if (stretch.length === length) this.free.splice(best, 1);
    else {
      stretch.start += length;
      stretch.length -= length;
    }
    return start;
  }

  private takeNew(length: number): number {
    const last = this.free.at(-1);
    // A free range at the end is the beginning of the new region.
    const start = last !== undefined && last.start + last.length === this.end ? last.start : this.end;
    if (!this.growTo(start + length)) return 0;
    if (start !== this.end) this.free.pop();
    this.end = start + length;
    return start;
  }

  release(start: number): void {
    const length = this.lengths.get(start);
    assert(length !== undefined, `no region starts at ${start}`);
    this.lengths.delete(start);
    this.usedBytes -= length;
    assert(this.usedBytes >= 0, `${this.usedBytes} bytes are given out`);
    const next = this.indexBehind(start);
    const before = this.free[next - 1];
    const after = this.free[next];
    assert(before === undefined || before.start + before.length <= start, `region ${start} overlaps free memory below`);
    assert(
      after === undefined || start + length <= after.start,
      `region ${start}+${length} overlaps free memory above`,
    );
    const joinsBefore = before !== undefined && before.start + before.length === start;
    const joinsAfter = after !== undefined && start + length === after.start;
    if (joinsBefore) {
      before.length += length + (joinsAfter ? after.length : 0);
      if (joinsAfter) this.free.splice(next, 1);
    } else if (joinsAfter) {
      after.start = start;
      after.length += length;
    } else this.free.splice(next, 0, { start, length });
  }

  /** Frees what a region has behind its first `bytes` bytes. */
  shrink(start: number, bytes: number): void {
    const length = this.lengths.get(start);
    assert(length !== undefined, `no region starts at ${start}`);
    const kept = Math.max(ALIGNMENT, Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);
    if (kept >= length) return;
    this.lengths.set(start, kept);
    // The rest is a region for a moment, so that it is joined with its neighbours as every other.
    this.lengths.set(start + kept, length - kept);
    this.release(start + kept);
  }

  /** Index of the first free range behind `start`. */
  private indexBehind(start: number): number {
    let low = 0;
    let high = this.free.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.free[middle] as FreeRange).start < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
