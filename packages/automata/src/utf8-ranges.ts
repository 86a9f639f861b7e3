/**
 * A range of code points as sequences of byte ranges: what a range of characters looks like in UTF-8.
 *
 * Each sequence stands for characters of one length whose bytes vary independently; a range is cut until all are.
 */
import { assert } from '@shoal/core';

export interface ByteRange {
  readonly low: number;
  readonly high: number;
}

export const CODE_POINT_MAX = 0x10ffff;

/** Last code points of one, two, three and four bytes. */
const LENGTH_ENDS = [0x7f, 0x7ff, 0xffff, CODE_POINT_MAX];

/** Both ends included. */
export function byteSequences(low: number, high: number): ByteRange[][] {
  assert(low >= 0 && low <= high && high <= CODE_POINT_MAX, `code points ${low}..${high}`);
  const sequences: ByteRange[][] = [];
  let from = low;
  for (const end of LENGTH_ENDS) {
    if (from > high) break;
    if (from > end) continue;
    cut(from, Math.min(high, end), sequences);
    from = end + 1;
  }
  return sequences;
}

/** Both ends have the same number of bytes. */
function cut(low: number, high: number, into: ByteRange[][]): void {
  // Six bits a byte behind the first: where the ends differ above them, the bits below must run over all values.
  for (let bits = 6; bits <= 18 && low > 0x7f; bits += 6) {
    const mask = (1 << bits) - 1;
    if ((low & ~mask) === (high & ~mask)) continue;
    if ((low & mask) !== 0) {
      cut(low, low | mask, into);
      cut((low | mask) + 1, high, into);
      return;
    }
    if ((high & mask) !== mask) {
      cut(low, (high & ~mask) - 1, into);
      cut(high & ~mask, high, into);
      return;
    }
  }
  const [first, last] = [encode(low), encode(high)];
  into.push(first.map((byte, i) => ({ low: byte, high: last[i] ?? byte })));
}

/** Also of surrogates, which no term holds: ranges may span them. */
function encode(point: number): number[] {
  if (point < 0x80) return [point];
  if (point < 0x800) return [0xc0 | (point >> 6), 0x80 | (point & 0x3f)];
  if (point < 0x10000) return [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)];
  return [0xf0 | (point >> 18), 0x80 | ((point >> 12) & 0x3f), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)];
}
