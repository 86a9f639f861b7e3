/**
 * Numbers of one field, collected while documents come in.
 *
 * Longs beyond 2^53 are held as 64-bit integers, and only then.
 */

import { assert, type WideIntegers, wideIntegers } from '@shoal/core';
import { GrowableF64, GrowableU32 } from '../../bytes/growable-arrays.ts';
import { chunksOf, wideChunksOf } from '../../format/columns/number-chunks.ts';
import type { NumberColumnValues } from '../../format/columns/number-column-writer.ts';

const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** Values as documents bring them: docs ascend, a document's values in any order. */
export class NumberColumnBuffer {
  readonly kind: 'long' | 'double';
  /** Document of each value; null as long as document i brought value i and nothing else. */
  private docs: GrowableU32 | null = null;
  private readonly values = new GrowableF64();
  /** Exact values by position, for those beyond 2^53. */
  private readonly wide = new Map<number, bigint>();

  constructor(kind: 'long' | 'double') {
    this.kind = kind;
  }

  get isEmpty(): boolean {
    return this.values.length === 0;
  }

  get sizeBytes(): number {
    return (this.docs?.sizeBytes ?? 0) + this.values.sizeBytes + this.wide.size * 64;
  }

  /** The value of a document, where each has one. */
  valueOf(doc: number): number {
    assert(this.docs === null, 'documents have other than one value each');
    return this.values.at(doc);
  }

  add(doc: number, value: number | bigint): void {
    if (this.docs === null && doc !== this.values.length) {
      this.docs = new GrowableU32();
      for (let before = 0; before < this.values.length; before++) this.docs.push(before);
    }
    if (typeof value === 'bigint') {
      if (value > SAFE_MAX || value < -SAFE_MAX) this.wide.set(this.values.length, value);
      this.values.push(Number(value));
    } else {
      this.values.push(value);
    }
    this.docs?.push(doc);
  }

  private counts(docCount: number): Uint32Array {
    const { docs } = this;
    const counts = new Uint32Array(docCount);
    if (docs === null) return counts.fill(1, 0, this.values.length);
    for (let i = 0; i < docs.length; i++) counts[docs.at(i)] = (counts[docs.at(i)] as number) + 1;
    return counts;
  }

  /** What was added for `docCount` documents; views. Sorts the values of each document. */
  take(docCount: number): NumberColumnValues {
    const { kind } = this;
    assert(
      this.docs !== null || this.values.length <= docCount,
      `${this.values.length} values of ${docCount} documents`,
    );
    const counts = this.counts(docCount);
    const values =
      this.wide.size > 0
        ? wideIntegers(Array.from(this.values.view(), (value, i) => this.wide.get(i) ?? BigInt(value)))
        : this.values.view();
    sortRuns(values, counts);
    return { kind, counts, values: values instanceof Float64Array ? chunksOf(values) : wideChunksOf(values) };
  }
}

function sortRuns(values: Float64Array | WideIntegers, counts: Uint32Array): void {
  let from = 0;
  for (let doc = 0; doc < counts.length; doc++) {
    const to = from + (counts[doc] as number);
    if (to - from > 1) values.subarray(from, to).sort();
    from = to;
  }
}
