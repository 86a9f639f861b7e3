/**
 * Sort keys of a segment's documents by blocks: what a block can hold at best and at worst is known before it is looked at.
 */
import { assert } from '@shoal/core';
import type { NumberBlocks } from '../../format/reader/number-blocks.ts';

/** Keys of a segment's documents, by blocks of `BLOCK_DOCS`. */
export interface KeyBlocks {
  /** Those that may have the first keys first; any order is right. */
  readonly order: Uint32Array;
  /** Lower bound of the keys of the block's documents. */
  first(block: number): number;
  /** Upper bound of the keys of the block's documents. */
  last(block: number): number;
}

/** Key bounds where keys are the values of `blocks` times `sign`, and `missingKey` for documents without any. */
export function keyBlocks(blocks: NumberBlocks, sign: number, missingKey: number): KeyBlocks {
  const { lows, highs, isWhole } = blocks;
  assert(lows.length === highs.length, `${lows.length} lower and ${highs.length} upper bounds of blocks`);
  assert(sign === 1 || sign === -1, `sort keys of sign ${sign}`);
  const first = sign > 0 ? lows : highs;
  const last = sign > 0 ? highs : lows;
  return {
    order: blocks.order(sign < 0),
    first: (block) => {
      const key = sign * (first[block] as number);
      return isWhole[block] === 1 ? key : Math.min(key, missingKey);
    },
    last: (block) => {
      const key = sign * (last[block] as number);
      return isWhole[block] === 1 ? key : Math.max(key, missingKey);
    },
  };
}
