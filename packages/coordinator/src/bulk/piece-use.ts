/**
 * Counts which pieces of a bulk's body are still needed: each is dropped once all of its items are settled, so that the memory of a
 * large body goes back while the rest of it is being written.
 */
import { assert } from '@shoal/core';
import type { BulkItems } from './bulk-items.ts';

export class PieceUse {
  readonly #items: BulkItems;
  /** By piece: items that are not settled. */
  readonly #left: Uint32Array;

  constructor(items: BulkItems) {
    this.#items = items;
    this.#left = new Uint32Array(items.body.count);
    for (let at = 0; at < items.length; at++) if (items.sourceBytes(at) > 0) this.#count(items.pieceOf(at));
  }

  #count(piece: number): void {
    this.#left[piece] = (this.#left[piece] as number) + 1;
  }

  /** The document of an item is not read any more. */
  settle(at: number): void {
    if (this.#items.sourceBytes(at) === 0) return;
    const piece = this.#items.pieceOf(at);
    const left = this.#left[piece] as number;
    assert(left > 0, `item ${at} is settled twice: nothing of piece ${piece} is left`);
    this.#left[piece] = left - 1;
    if (left === 1) this.#items.body.drop(piece);
  }
}
