import { HyperLogLog } from '@shoal/aggregations';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSegmentMemory } from './kernel-memory.ts';

const kernels = createSegmentMemory({ bytesMax: 2 ** 24 }).kernels?.aggregations ?? null;

/** Sketches that are past being exact, so that both ways write registers. */
function filled(precision: number): HyperLogLog {
  const sketch = new HyperLogLog(precision);
  const values = Float64Array.from({ length: 2 ** precision }, (_, i) => i + 0.5);
  sketch.addDoubles(new Uint32Array(values.buffer), 0, values.length);
  expect(sketch.takesRanks).toBe(true);
  return sketch;
}

function same(a: HyperLogLog, b: HyperLogLog): void {
  const [x, y] = [a.state().registers, b.state().registers];
  expect(Buffer.compare(x ?? new Uint8Array(0), y ?? new Uint8Array(0))).toBe(0);
}

test('doubles are ranked as they are one by one', () => {
  if (kernels === null) return;
  const value = fc.oneof(
    fc.double({ noNaN: true }),
    fc.integer(),
    fc.constantFrom(0, -0, 1, Number.MAX_VALUE, Number.MIN_VALUE, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
  );
  fc.assert(
    fc.property(fc.array(value, { maxLength: 70 }), fc.constantFrom(4, 7, 11), (list, precision) => {
      const values = Float64Array.from(list);
      const [ranked, plain] = [filled(precision), filled(precision)];
      expect(kernels.rankDoubles(values, values.length, precision)).toBe(true);
      ranked.addRanks(kernels.ranks, 0, values.length);
      plain.addDoubles(new Uint32Array(values.buffer), 0, values.length);
      same(ranked, plain);
    }),
    { numRuns: 60 },
  );
});

test('of millions of values, those with a hash that is empty behind the index too', () => {
  if (kernels === null) return;
  const precision = 18;
  const [ranked, plain] = [new HyperLogLog(precision), new HyperLogLog(precision)];
  const values = new Float64Array(2_048);
  const halves = new Uint32Array(values.buffer);
  for (let start = 0; start < 1_000_000; start += values.length) {
    for (let i = 0; i < values.length; i++) values[i] = (start + i) / 7;
    plain.addDoubles(halves, 0, values.length);
    if (ranked.takesRanks && kernels.rankDoubles(values, values.length, precision)) {
      ranked.addRanks(kernels.ranks, 0, values.length);
    } else ranked.addDoubles(halves, 0, values.length);
  }
  same(ranked, plain);
});

test('too many values at once are left to the plain form', () => {
  if (kernels === null) return;
  expect(kernels.rankDoubles(new Float64Array(5_000), 5_000, 14)).toBe(false);
});
