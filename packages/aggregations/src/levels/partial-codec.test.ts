import { DamagedBytes } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PartialResult } from '../kinds/aggregation-kinds.ts';
import { HdrSketch } from '../sketches/hdr-sketch.ts';
import { HyperLogLog } from '../sketches/hyper-log-log.ts';
import { TDigest } from '../sketches/t-digest.ts';
import type { ValueFormat } from '../values/value-format.ts';
import { readPartials, writePartials } from './partial-codec.ts';

const format: fc.Arbitrary<ValueFormat> = fc.oneof(
  fc.constantFrom<ValueFormat>({ kind: 'plain' }, { kind: 'boolean' }, { kind: 'ip' }, { kind: 'version' }),
  fc.integer({ min: 1, max: 12 }).map((precision): ValueFormat => ({ kind: 'geohash', precision })),
  fc.string().map((pattern): ValueFormat => ({ kind: 'decimal', pattern })),
  fc.string().map((text): ValueFormat => ({ kind: 'date', format: text, timeZone: 'UTC' })),
);
const number = fc.double({ noNaN: true });
const count = fc.nat(1e9);
const key = fc.oneof(
  fc.string(),
  fc.double({ noNaN: true }).map((value) => value + 0),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n }),
);
const values = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { maxLength: 300 });

const cardinality = fc.tuple(values, fc.constantFrom(4, 10, 14)).map(([list, precision]): PartialResult => {
  const sketch = new HyperLogLog(precision);
  const doubles = Float64Array.from(list);
  sketch.addDoubles(new Uint32Array(doubles.buffer), 0, doubles.length);
  return { kind: 'cardinality', sketch };
});
const percentiles = fc.tuple(values, format, fc.boolean()).map(([list, f, isHdr]): PartialResult => {
  const sketch = isHdr ? new HdrSketch(3) : new TDigest(50);
  for (const value of list) sketch.add(value);
  return { kind: 'percentiles', format: f, sketch };
});
const stats = fc
  .tuple(format, count, number, number, number, number)
  .map(([f, n, sum, min, max, sumOfSquares]): PartialResult => {
    return { kind: 'stats', format: f, count: n, sum, min, max, sumOfSquares };
  });
const weighted = fc
  .tuple(number, number)
  .map(([sum, weight]): PartialResult => ({ kind: 'weightedAverage', sum, weight }));
const geo = fc.oneof(
  fc.tuple(count, number, number).map(([n, latSum, lonSum]): PartialResult => {
    return { kind: 'geoCentroid', count: n, latSum, lonSum };
  }),
  fc.tuple(number, number, number, number, number, number).map((sides): PartialResult => {
    const [top, bottom, eastLeft, eastRight, westLeft, westRight] = sides;
    return { kind: 'geoBounds', top, bottom, eastLeft, eastRight, westLeft, westRight };
  }),
);
const leaf = fc.oneof(stats, weighted, cardinality, percentiles, geo);

const keyedByPosition = <B extends object>(list: readonly B[]) => list.map((bucket, key) => ({ ...bucket, key }));

function bucketed(inner: fc.Arbitrary<PartialResult>): fc.Arbitrary<PartialResult> {
  const children = fc.array(inner, { maxLength: 2 });
  const listOf = <Key>(keys: fc.Arbitrary<Key>) =>
    fc.array(fc.record({ key: keys, docCount: count, children }), { maxLength: 3 });
  return fc.oneof(
    fc.record({
      kind: fc.constant('terms' as const),
      keyKind: fc.constantFrom('text' as const, 'long' as const, 'double' as const),
      format,
      otherDocCount: count,
      error: fc.integer({ min: -1, max: 100 }),
      shardCount: fc.nat(9),
      buckets: fc.array(fc.record({ key, docCount: count, error: fc.integer({ min: -1, max: 9 }), children }), {
        maxLength: 3,
      }),
    }),
    fc.record({ kind: fc.constant('histogram' as const), format, buckets: listOf(number) }),
    fc.record({
      kind: fc.constant('range' as const),
      format,
      buckets: listOf(fc.record({ from: number, to: number })).map((list) =>
        list.map((bucket, position) => ({ ...bucket, key: { ...bucket.key, position } })),
      ),
    }),
    fc.record({
      kind: fc.constant('autoDate' as const),
      format,
      level: fc.nat(5),
      multiple: fc.integer({ min: 1, max: 100 }),
      buckets: listOf(number),
    }),
    fc.record({ kind: fc.constant('geoGrid' as const), buckets: listOf(key) }),
    fc.record({ kind: fc.constant('filters' as const), buckets: listOf(fc.constant(0)).map(keyedByPosition) }),
    fc
      .record({
        kind: fc.constant('composite' as const),
        formats: fc.tuple(format, format),
        keyKinds: fc.constant(['text', 'long'] as const),
        buckets: listOf(fc.tuple(fc.option(key), key)),
      })
      .map((partial) => ({ ...partial, lastKey: partial.buckets.at(-1)?.key ?? null })),
  );
}
const partial = fc.oneof(leaf, bucketed(leaf), bucketed(bucketed(leaf)));
const partials = fc.array(partial, { maxLength: 3 });

/** With sketches as what is in them: their insides may be arranged otherwise. */
function plain(value: unknown): unknown {
  if (value instanceof HyperLogLog) {
    const { hashes, registers } = value.state();
    const pairs = hashes && Array.from(hashes, (low, i) => `${hashes[i - 1]} ${low}`).filter((_, i) => i % 2 === 1);
    return { precision: value.precision, hashes: pairs?.sort(), registers };
  }
  if (value instanceof TDigest) return { ...value.clusters(), min: value.min, max: value.max };
  if (value instanceof HdrSketch) return { entries: value.entries(), zeros: value.zeroCount, digits: value.digits };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

describe('partial results as bytes', () => {
  test('come back as they were', () => {
    fc.assert(
      fc.property(partials, (list) => {
        const bytes = writePartials(list);
        expect(plain(readPartials(bytes))).toEqual(plain(list));
      }),
      { numRuns: 300 },
    );
  });

  test('damaged anywhere are found damaged, or are other partial results', () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(partials, damage, fc.nat(), (list, changes, cut) => {
        const bytes = writePartials(list).slice();
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        for (const damaged of [bytes, bytes.subarray(0, cut % (bytes.length + 1))]) {
          try {
            writePartials(readPartials(damaged));
          } catch (error) {
            expect(error).toBeInstanceOf(DamagedBytes);
          }
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test('of nothing but noise never do harm', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          readPartials(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(DamagedBytes);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
