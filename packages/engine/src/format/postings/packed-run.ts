/**
 * Numbers bit-packed one behind the other at one width: any of them is found without those before it.
 *
 * Positions are stored this way: a phrase reads those of one document in the middle of a block. Readers may look at up to
 * `PACKED_RUN_PADDING` bytes behind the last number.
 */
import type { ByteSink } from '@shoal/core';

/** Zero bytes behind the last run of a section. */
export const PACKED_RUN_PADDING = 8;

/** Appends the first `count` numbers at `bits` bits each, ended at a whole byte. */
export function writePackedRun(values: Uint32Array, count: number, bits: number, sink: ByteSink): void {
  const length = (count * bits + 7) >>> 3;
  sink.reserve(length + PACKED_RUN_PADDING);
  const { bytes } = sink;
  const start = sink.length;
  bytes.fill(0, start, start + length + PACKED_RUN_PADDING);
  let bit = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i] as number;
    const at = start + (bit >>> 3);
    const shift = bit & 7;
    const low = value << shift;
    bytes[at] = (bytes[at] as number) | low;
    bytes[at + 1] = low >>> 8;
    bytes[at + 2] = low >>> 16;
    bytes[at + 3] = low >>> 24;
    // Shifting by 32 would shift by nothing.
    if (shift > 0) bytes[at + 4] = value >>> (32 - shift);
    bit += bits;
  }
  sink.length = start + length;
}

/** Number `index` of the run at `start`. */
export function readPackedRun(bytes: Uint8Array, start: number, bits: number, index: number): number {
  const bit = index * bits;
  const at = start + (bit >>> 3);
  const shift = bit & 7;
  const low =
    ((bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)) >>>
    shift;
  const value = shift + bits > 32 ? low | ((bytes[at + 4] as number) << (32 - shift)) : low;
  return bits === 32 ? value >>> 0 : value & ((1 << bits) - 1);
}
