/**
 * Random numbers of the operating system, drawn in blocks because one call a number would cost microseconds.
 *
 * Forked streams are independent by nature here; the label only matters in simulation, where it names the stream.
 */
import { randomBytes, randomFillSync } from 'node:crypto';
import { assert } from '@shoal/core';
import type { Random } from '../interfaces/random.ts';

const BLOCK_WORDS = 1024;
const U32_RANGE = 0x1_0000_0000;

export function createNodeRandom(): Random {
  const block = new Uint32Array(BLOCK_WORDS);
  let next = BLOCK_WORDS;

  function u32(): number {
    if (next >= BLOCK_WORDS) {
      randomFillSync(block);
      next = 0;
    }
    return block[next++] as number; // In range: next was below BLOCK_WORDS.
  }

  return {
    u32,
    below(n: number): number {
      assert(Number.isInteger(n) && n >= 1 && n <= U32_RANGE, `random below ${n} outside 1..2^32`);
      // Values above the last whole multiple of n are drawn again, or small results would be more likely.
      const limit = U32_RANGE - (U32_RANGE % n);
      for (;;) {
        const value = u32();
        if (value < limit) return value % n;
      }
    },
    bytes: (count: number) => new Uint8Array(randomBytes(count)),
    fork: (_label: string) => createNodeRandom(),
  };
}
