/**
 * Names one request of writes to one shard, the same however often it is sent: by it the shard knows what it did for the
 * first attempt when the answer was lost, and gives that answer again in place of doing it twice.
 */
import { assert } from '@shoal/core';

const WORD_MAX = 0xffff_ffff;

/** True for words that name a request: 32 bits each, and not all 0. */
export function isRequestToken(words: readonly number[]): boolean {
  return (
    words.every((word) => Number.isInteger(word) && word >= 0 && word <= WORD_MAX) && words.some((word) => word !== 0)
  );
}

export class RequestToken {
  /** 32 bits each: two drawn at the coordinator's start, and its count of requests. Not all 0, which means no token. */
  readonly words: readonly [number, number, number];

  constructor(words: readonly [number, number, number]) {
    const isToken = isRequestToken(words);
    // A token is made of every operation that another copy sends: its text is made where it is wanted.
    assert(isToken, isToken ? '' : `a request token of the words [${words}]`);
    this.words = words;
  }

  equals(other: RequestToken): boolean {
    if (other === this) return true;
    const { words } = this;
    return words[2] === other.words[2] && words[1] === other.words[1] && words[0] === other.words[0];
  }
}

/** Tokens of one coordinator's process. */
export class RequestTokens {
  readonly #first: number;
  readonly #second: number;
  #count = 0;

  /** @param seed eight random bytes */
  constructor(seed: Uint8Array) {
    assert(seed.byteLength === 8, `a seed of ${seed.byteLength} bytes`);
    const view = new DataView(seed.buffer, seed.byteOffset, seed.byteLength);
    this.#first = view.getUint32(0);
    this.#second = view.getUint32(4);
  }

  next(): RequestToken {
    // Wraps around after four thousand million requests: a shard has long forgotten the first ones then.
    this.#count = this.#count === WORD_MAX ? 1 : this.#count + 1;
    return new RequestToken([this.#first, this.#second, this.#count]);
  }
}
