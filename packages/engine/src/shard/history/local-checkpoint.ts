/**
 * Sequence numbers that were marked: the local checkpoint (all numbers up to it are) and those above it, in any order.
 *
 * One of them counts what a copy has executed, another one what it has on disk. Where numbers come in order, as on a
 * primary, a mark is a comparison and an addition; what comes early takes a bit.
 */
import { assert } from '@shoal/core';

const PAGE_BITS = 1024;
const WORD_BITS = 32;

export class LocalCheckpoint {
  #checkpoint: number;
  #max: number;
  /** Bits of the numbers above the checkpoint, by page; numbers at or below it may still have theirs. */
  readonly #pages = new Map<number, Uint32Array>();

  /** @param max highest number that is in use, marked or not; at least `checkpoint` */
  constructor(checkpoint: number, max: number = checkpoint) {
    assert(checkpoint >= -1 && max >= checkpoint, `a checkpoint of ${checkpoint} below ${max}`);
    this.#checkpoint = checkpoint;
    this.#max = max;
  }

  /** Every number up to here is marked; -1: not even 0. */
  get checkpoint(): number {
    return this.#checkpoint;
  }

  /** Highest number in use; -1: none. */
  get max(): number {
    return this.#max;
  }

  has(seqNo: number): boolean {
    return seqNo <= this.#checkpoint || (seqNo <= this.#max && this.#isSet(seqNo));
  }

  /** Marking a number again changes nothing. */
  mark(seqNo: number): void {
    assert(Number.isSafeInteger(seqNo) && seqNo >= 0, `operation ${seqNo} is marked`);
    if (seqNo <= this.#checkpoint) return;
    if (seqNo > this.#max) this.#max = seqNo;
    if (seqNo === this.#checkpoint + 1 && this.#pages.size === 0) this.#checkpoint = seqNo;
    else {
      this.#set(seqNo);
      this.#advance();
    }
  }

  /** Marks `first` to `last`, both included. */
  markRange(first: number, last: number): void {
    assert(first >= 0 && first <= last, `operations ${first} to ${last} are marked`);
    if (first <= this.#checkpoint + 1 && this.#pages.size === 0) {
      this.#checkpoint = Math.max(this.#checkpoint, last);
      this.#max = Math.max(this.#max, last);
    } else for (let seqNo = first; seqNo <= last; seqNo++) this.mark(seqNo);
  }

  /** Begins again: whatever was marked is marked no more. */
  restart(checkpoint: number, max: number): void {
    assert(checkpoint >= -1 && max >= checkpoint, `a checkpoint of ${checkpoint} below ${max}`);
    this.#checkpoint = checkpoint;
    this.#max = max;
    this.#pages.clear();
  }

  /** Marked numbers above the checkpoint, as ascending ranges. */
  above(): readonly { readonly first: number; readonly last: number }[] {
    const ranges: { first: number; last: number }[] = [];
    for (let seqNo = this.#checkpoint + 1; seqNo <= this.#max && this.#pages.size > 0; seqNo++) {
      const open = ranges[ranges.length - 1];
      if (!this.#isSet(seqNo)) continue;
      if (open !== undefined && open.last === seqNo - 1) open.last = seqNo;
      else ranges.push({ first: seqNo, last: seqNo });
    }
    return ranges;
  }

  /** The lowest number above the checkpoint that is in use and not marked, again and again; to be marked before the next. */
  *gaps(): Generator<number, void> {
    while (this.#checkpoint < this.#max) {
      const gap = this.#checkpoint + 1;
      yield gap;
      assert(this.#checkpoint >= gap, `the gap ${gap} was not filled`);
    }
  }

  #advance(): void {
    while (this.#checkpoint < this.#max && this.#isSet(this.#checkpoint + 1)) {
      this.#checkpoint++;
      if (this.#checkpoint % PAGE_BITS === PAGE_BITS - 1) this.#pages.delete(Math.floor(this.#checkpoint / PAGE_BITS));
    }
    if (this.#checkpoint === this.#max) this.#pages.clear();
  }

  #isSet(seqNo: number): boolean {
    const word = this.#pages.get(Math.floor(seqNo / PAGE_BITS))?.[(seqNo % PAGE_BITS) >>> 5] ?? 0;
    return (word & (1 << (seqNo % WORD_BITS))) !== 0;
  }

  #set(seqNo: number): void {
    const number = Math.floor(seqNo / PAGE_BITS);
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = new Uint32Array(PAGE_BITS / WORD_BITS);
      this.#pages.set(number, page);
    }
    const at = (seqNo % PAGE_BITS) >>> 5;
    page[at] = (page[at] ?? 0) | (1 << (seqNo % WORD_BITS));
  }
}
