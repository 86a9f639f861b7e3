/**
 * A bounded memory of what was found for a text, which forgets what was not asked for lately.
 *
 * Two maps take turns: what is used stands in the younger one, and when that is full the older one is dropped whole. Nothing is ever
 * deleted from a map, which would cost each text that never comes again more than it costs to find out what it means.
 */
import { assert } from './errors/assert.ts';

export class RecentEntries<Value> {
  readonly #half: number;
  #young = new Map<string, Value>();
  #old: ReadonlyMap<string, Value> = new Map();

  /** @param countMax entries at most; those used last, at least half as many, are there */
  constructor(countMax: number) {
    assert(Number.isSafeInteger(countMax) && countMax >= 2, `a memory of ${countMax} entries`);
    this.#half = Math.floor(countMax / 2);
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
