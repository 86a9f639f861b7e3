/**
 * Values of a merged column, which go to the spill of the merge as they are copied.
 */
import { assert, type WideIntegers } from '@shoal/core';
import type { SpillFile, SpillStream } from '../../bytes/spill-file.ts';
import type { StreamBytes } from '../../bytes/stream-bytes.ts';
import type { NumberChunks, WideChunks } from '../../format/columns/number-chunks.ts';
import type { FlatOrdinals, NarrowOrdinals } from '../../format/columns/ordinal-column.ts';
import { narrowOrdinals } from '../../format/columns/ordinal-column.ts';
import type { NumericColumn } from '../../format/reader/segment-reader.ts';

/** Values that are copied together. */
const PENDING_VALUES = 4_096;
/** Fewer values are copied one by one: a range of them takes longer to set up. */
const RANGE_MIN = 16;
const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);
const SIGNED_MAX = 2n ** 63n - 1n;

export class SpilledNumbers implements NumberChunks {
  readonly isWide = false;
  length = 0;
  private readonly stream: SpillStream;
  private readonly pending = new Float64Array(PENDING_VALUES);
  private count = 0;

  constructor(spill: SpillFile) {
    this.stream = spill.begin();
  }

  /** Appends the values from..to - 1 of a column. */
  copy(column: NumericColumn, from: number, to: number): void {
    const { pending } = this;
    for (let at = from; at < to; ) {
      if (this.count === pending.length) this.flush();
      const end = Math.min(to, at + pending.length - this.count);
      if (end - at < RANGE_MIN) {
        while (at < end) pending[this.count++] = column.value(at++);
        continue;
      }
      const room = pending.subarray(this.count, this.count + end - at);
      const values = column.readRange(at, end, room);
      // Where it is a view of the column it was not written yet.
      if (values.byteOffset !== room.byteOffset || values.buffer !== room.buffer) room.set(values);
      this.count += end - at;
      at = end;
    }
    this.length += to - from;
  }

  private flush(): void {
    this.stream.raw(new Uint8Array(this.pending.buffer, 0, this.count * Float64Array.BYTES_PER_ELEMENT));
    this.count = 0;
  }

  /** All values were copied. */
  end(): NumberChunks {
    this.flush();
    return this;
  }

  *chunks(): Generator<Float64Array, void> {
    for (const { buffer, byteOffset, byteLength } of this.stream.chunks())
      yield new Float64Array(buffer, byteOffset, byteLength / Float64Array.BYTES_PER_ELEMENT);
  }
}

/** Whole numbers of which some may be beyond 2^53. */
export class SpilledIntegers {
  private length = 0;
  private readonly stream: SpillStream;
  private readonly pending = new BigUint64Array(PENDING_VALUES);
  private count = 0;
  private hasWide = false;
  private hasNegative = false;
  private hasUnsigned = false;

  constructor(spill: SpillFile) {
    this.stream = spill.begin();
  }

  /** Appends the values from..to - 1 of a column. */
  copy(column: NumericColumn, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const value = column.isWide ? column.bigValue(at) : BigInt(column.value(at));
      if (value > SAFE_MAX || value < -SAFE_MAX) this.hasWide = true;
      if (value < 0n) this.hasNegative = true;
      if (value > SIGNED_MAX) this.hasUnsigned = true;
      if (this.count === PENDING_VALUES) this.flush();
      // Below 0: the same bits as those of a signed number.
      this.pending[this.count++] = value;
    }
    this.length += to - from;
  }

  private flush(): void {
    this.stream.raw(new Uint8Array(this.pending.buffer, 0, this.count * BigUint64Array.BYTES_PER_ELEMENT));
    this.count = 0;
  }

  /** All values were copied: integers of 64 bits only when some are beyond 2^53. */
  end(): NumberChunks | WideChunks {
    this.flush();
    const { length, stream, hasUnsigned } = this;
    assert(!(hasUnsigned && this.hasNegative), 'a column of integers below 0 and beyond 2^63');
    const chunks = function* (): Generator<WideIntegers, void> {
      for (const { buffer, byteOffset, byteLength } of stream.chunks()) {
        const count = byteLength / BigUint64Array.BYTES_PER_ELEMENT;
        yield hasUnsigned
          ? new BigUint64Array(buffer, byteOffset, count)
          : new BigInt64Array(buffer, byteOffset, count);
      }
    };
    if (this.hasWide) return { isWide: true, length, chunks };
    return {
      isWide: false,
      length,
      *chunks() {
        for (const chunk of chunks()) yield Float64Array.from(chunk, Number);
      },
    };
  }
}

export class SpilledOrdinals {
  private readonly stream: SpillStream;
  private readonly pending: NarrowOrdinals;
  private count = 0;

  /** `valueCount`: distinct values of the merged field. */
  constructor(spill: SpillFile, valueCount: number) {
    this.stream = spill.begin();
    this.pending = narrowOrdinals(new Uint32Array(PENDING_VALUES), valueCount);
  }

  /** Appends the new numbers of the values from..to - 1 of a column. */
  copy(column: FlatOrdinals, from: number, to: number, ordinalMap: Int32Array): void {
    const { pending } = this;
    for (let at = from; at < to; at++) {
      if (this.count === pending.length) this.flush();
      pending[this.count++] = ordinalMap[column.ordinal(at)] as number;
    }
  }

  private flush(): void {
    const { buffer, BYTES_PER_ELEMENT } = this.pending;
    this.stream.raw(new Uint8Array(buffer, 0, this.count * BYTES_PER_ELEMENT));
    this.count = 0;
  }

  /** All values were copied. */
  end(): StreamBytes {
    this.flush();
    return this.stream;
  }
}
