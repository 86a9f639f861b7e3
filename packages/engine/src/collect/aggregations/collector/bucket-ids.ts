/**
 * Numbers buckets: each pair of a parent's bucket and a key gets the next number when it is first seen.
 *
 * Open addressing over flat arrays; keys are doubles, compared by their bits, so that ordinals, values and rounded instants all
 * fit.
 */
import { assert, circuitBreaking, type StepMeter, type Steps } from '@shoal/core';
import { GrowableF64, GrowableU32 } from '../../../bytes/growable-arrays.ts';
import { type HashSecret, OPEN_SECRET } from '../../../bytes/hash-secret.ts';

const SLOTS_MIN = 64;
const LOAD_MAX = 0.6;
/** Buckets of one aggregation on one shard: more would end the process before they end in an answer. */
const BUCKETS_MAX = 10_000_000;

export class BucketIds {
  readonly parents: GrowableU32 = new GrowableU32();
  readonly keys: GrowableF64 = new GrowableF64();
  /** Number + 1 of the bucket in the slot; 0 is empty. */
  private slots = new Uint32Array(SLOTS_MIN);
  private readonly bits = new Float64Array(1);
  private readonly halves = new Uint32Array(this.bits.buffer);
  private readonly seed: number;
  /** Odd factors that only this thread knows. */
  private readonly first: number;
  private readonly second: number;
  private lastParent = -1;
  private lastKey = Number.NaN;
  private lastId = -1;

  constructor(secret: HashSecret = OPEN_SECRET) {
    const [seed = 0, first = 0, second = 0] = secret;
    this.seed = seed;
    this.first = first | 1;
    this.second = second | 1;
  }

  get count(): number {
    return this.keys.length;
  }

  get memoryBytes(): number {
    return this.slots.byteLength + this.parents.sizeBytes + this.keys.sizeBytes;
  }

  /** @throws ShoalError when there are too many */
  idOf(parent: number, key: number): number {
    // Neighbouring documents tend to fall in the same bucket.
    if (parent === this.lastParent && key === this.lastKey) return this.lastId;
    this.bits[0] = key + 0;
    const mask = this.slots.length - 1;
    let at = this.hash(parent) & mask;
    for (;;) {
      const id = (this.slots[at] as number) - 1;
      if (id < 0) break;
      if (this.keys.values[id] === key && this.parents.values[id] === parent) return this.remember(parent, key, id);
      at = (at + 1) & mask;
    }
    return this.insert(at, parent, key);
  }

  private insert(at: number, parent: number, key: number): number {
    const id = this.count;
    if (id === BUCKETS_MAX) {
      throw circuitBreaking(
        `[request] Data too large, an aggregation on one shard has more than [${BUCKETS_MAX}] buckets`,
        {
          wanted: BUCKETS_MAX + 1,
          limit: BUCKETS_MAX,
        },
      );
    }
    this.parents.push(parent);
    this.keys.push(key);
    this.slots[at] = id + 1;
    if (this.count > this.slots.length * LOAD_MAX) this.grow();
    return this.remember(parent, key, id);
  }

  private remember(parent: number, key: number, id: number): number {
    this.lastParent = parent;
    this.lastKey = key;
    this.lastId = id;
    return id;
  }

  private hash(parent: number): number {
    const { first, second } = this;
    // Each number is spread by both factors before the next one comes in: no difference of two keys is undone without them.
    let h = Math.imul((this.halves[0] as number) ^ this.seed, first);
    h = Math.imul(h ^ (h >>> 16), second);
    h = Math.imul(h ^ (h >>> 15) ^ (this.halves[1] as number), first);
    h = Math.imul(h ^ (h >>> 16), second);
    h = Math.imul(h ^ (h >>> 15) ^ parent, first);
    h = Math.imul(h ^ (h >>> 16), second);
    return (h ^ (h >>> 15)) >>> 0;
  }

  private grow(): void {
    const slots = new Uint32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let id = 0; id < this.count; id++) {
      this.bits[0] = this.keys.at(id);
      let at = this.hash(this.parents.at(id)) & mask;
      while (slots[at] !== 0) at = (at + 1) & mask;
      slots[at] = id + 1;
    }
    this.slots = slots;
    assert(this.count < slots.length, `${this.count} buckets in ${slots.length} slots`);
  }

  /**
   * Numbers of the buckets of each of the given parents, in the order of their making.
   *
   * @param parentOf whose list a bucket belongs to; left out: the parent that it was made for
   */
  *byParent(
    parents: ArrayLike<number>,
    meter: StepMeter,
    parentOf: (id: number) => number = (id) => this.parents.at(id),
  ): Steps<number[][]> {
    const at = new Map<number, number[]>();
    const lists = Array.from(parents, (parent): number[] => {
      const list: number[] = [];
      at.set(parent, list);
      return list;
    });
    for (let id = 0; id < this.count; id++) {
      at.get(parentOf(id))?.push(id);
      if (meter.isDue(0.05)) yield;
    }
    return lists;
  }
}

/** A number for each bucket, 0 before it is first added to. */
export class BucketCounts {
  values: Float64Array = new Float64Array(SLOTS_MIN);

  get memoryBytes(): number {
    return this.values.byteLength;
  }

  add(bucket: number, count: number): void {
    if (bucket >= this.values.length) this.reserve(bucket + 1);
    this.values[bucket] = (this.values[bucket] as number) + count;
  }

  at(bucket: number): number {
    return this.values[bucket] ?? 0;
  }

  reserve(size: number): void {
    if (size <= this.values.length) return;
    const next = new Float64Array(Math.max(size, this.values.length * 2));
    next.set(this.values);
    this.values = next;
  }
}
