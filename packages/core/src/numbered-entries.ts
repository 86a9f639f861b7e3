/**
 * Entries that come and go by numbers that count up, such as requests that wait for their answer.
 *
 * It does what a Map does, but keeps nothing of what is gone. A Map moves to a new table every so many entries, used or
 * not, and leaves behind the old one as it was: once that is old to the garbage collector, all that was in it then, and
 * the tables behind it, stay in memory until the next full collection. Here a slot is emptied at once, and the table
 * is replaced only when more than ever are there together.
 */

const CAPACITY_START = 16;
const EMPTY = -1;

export class NumberedEntries<Value> {
  /** Numbers, each in the slot of its remainder or the next free one behind; a power of two slots, at most half taken. */
  private keys: number[] = new Array<number>(CAPACITY_START).fill(EMPTY);
  private entries: (Value | undefined)[] = new Array<Value | undefined>(CAPACITY_START).fill(undefined);
  private taken = 0;

  get size(): number {
    return this.taken;
  }

  get(key: number): Value | undefined {
    return this.entries[this.slotOf(key)];
  }

  has(key: number): boolean {
    return this.keys[this.slotOf(key)] === key;
  }

  /** @param key a whole number from 0 on */
  set(key: number, value: Value): void {
    let slot = this.slotOf(key);
    if (this.keys[slot] === EMPTY) {
      if (this.taken * 2 >= this.keys.length) {
        this.grow();
        slot = this.slotOf(key);
      }
      this.taken++;
    }
    this.keys[slot] = key;
    this.entries[slot] = value;
  }

  /** False when there was none. */
  delete(key: number): boolean {
    const { keys, entries } = this;
    let hole = this.slotOf(key);
    if (keys[hole] === EMPTY) return false;
    const mask = keys.length - 1;
    // Those behind that would not be found across an empty slot move into it.
    for (let at = (hole + 1) & mask; keys[at] !== EMPTY; at = (at + 1) & mask) {
      const home = (keys[at] as number) % keys.length;
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      keys[hole] = keys[at] as number;
      entries[hole] = entries[at];
      hole = at;
    }
    keys[hole] = EMPTY;
    entries[hole] = undefined;
    this.taken--;
    return true;
  }

  clear(): void {
    this.keys.fill(EMPTY);
    this.entries.fill(undefined);
    this.taken = 0;
  }

  /** The numbers that are there now, ascending. */
  sortedKeys(): number[] {
    return this.keys.filter((key) => key !== EMPTY).sort((a, b) => a - b);
  }

  /** Entries held now, by ascending number. */
  sortedValues(): Value[] {
    // Every number stands beside its entry, which may be undefined itself.
    return this.sortedKeys().map((key) => this.get(key) as Value);
  }

  /** Slot of the number, or the one it would get. */
  private slotOf(key: number): number {
    const { keys } = this;
    const mask = keys.length - 1;
    let slot = key % keys.length;
    while (keys[slot] !== key && keys[slot] !== EMPTY) slot = (slot + 1) & mask;
    return slot;
  }

  private grow(): void {
    const { keys, entries } = this;
    this.keys = new Array<number>(keys.length * 2).fill(EMPTY);
    this.entries = new Array<Value | undefined>(keys.length * 2).fill(undefined);
    for (const [at, key] of keys.entries()) {
      if (key === EMPTY) continue;
      const slot = this.slotOf(key);
      this.keys[slot] = key;
      this.entries[slot] = entries[at];
    }
  }
}
