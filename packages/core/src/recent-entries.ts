/**
 * Bounded memories of what was found for a text or an object, which forget what was not asked for lately.
 *
 * Two maps take turns: what is used stands in the younger one, and when that is full the older one is dropped whole. Nothing is ever
 * deleted from a map, which would cost each key that never comes again more than it costs to find out what it means.
 */
import { assert } from './errors/assert.ts';

/** What a `Map` and a `WeakMap` have alike. */
interface Entries<Key, Value> {
  get(key: Key): Value | undefined;
  has(key: Key): boolean;
  set(key: Key, value: Value): unknown;
}

class TwoGenerations<Key, Value> {
  readonly #half: number;
  readonly #makeEntries: () => Entries<Key, Value>;
  #young: Entries<Key, Value>;
  #old: Entries<Key, Value>;
  /** Entries that the younger map was given. */
  #youngCount = 0;

  constructor(countMax: number, makeEntries: () => Entries<Key, Value>) {
    assert(Number.isSafeInteger(countMax) && countMax >= 2, `a memory of ${countMax} entries`);
    this.#half = Math.floor(countMax / 2);
    this.#makeEntries = makeEntries;
    this.#young = makeEntries();
    this.#old = makeEntries();
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
        this.#young = this.#makeEntries();
        this.#youngCount = 0;
      }
      this.#youngCount++;
    }
    this.#young.set(key, value);
  }
}

/** Entries by texts. */
export class RecentEntries<Value> extends TwoGenerations<string, Value> {
  /** @param countMax entries at most; those used last, at least half as many, are there */
  constructor(countMax: number) {
    super(countMax, () => new Map());
  }
}

/**
 * Entries by objects, which go with them. An object that is gone still counts until its map is dropped: there may be fewer entries than
 * allowed, never more.
 */
export class RecentByObject<Key extends object, Value> extends TwoGenerations<Key, Value> {
  /** @param countMax entries at most; those used last, at least half as many, are there while their objects are */
  constructor(countMax: number) {
    super(countMax, () => new WeakMap());
  }
}
