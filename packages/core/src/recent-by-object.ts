/**
 * A bounded memory of what was found for an object, which goes with the object or when it was not asked for lately.
 *
 * Two weak maps take turns as those of `RecentEntries` do. An object that is gone still counts until its map is dropped: there may be fewer
 * entries than allowed, never more.
 */
import { assert } from './errors/assert.ts';

export class RecentByObject<Key extends object, Value> {
  readonly #half: number;
  #young = new WeakMap<Key, Value>();
  #old = new WeakMap<Key, Value>();
  /** Entries that the younger map was given. */
  #youngCount = 0;

  /** @param countMax entries at most; those used last, at least half as many, are there while their objects are */
  constructor(countMax: number) {
    assert(Number.isSafeInteger(countMax) && countMax >= 2, `a memory of ${countMax} objects`);
    this.#half = Math.floor(countMax / 2);
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    if (!this.#young.has(key)) {
      if (this.#youngCount >= this.#half) {
        this.#old = this.#young;
        this.#young = new WeakMap();
        this.#youngCount = 0;
      }
      this.#youngCount++;
    }
    this.#young.set(key, value);
  }
}
