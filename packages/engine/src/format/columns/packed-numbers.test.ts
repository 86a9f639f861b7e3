import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PLAIN_MEMORY } from '../../memory/segment-memory.ts';
import { NumberColumnBuffer } from '../../write/buffer/number-column-buffer.ts';
import { ContainerWriter } from '../container/container-writer.ts';
import { PartSink } from '../container/part-sink.ts';
import { ListedPart } from '../container/part-source.ts';
import { SegmentBytes } from '../container/segment-bytes.ts';
import type { NumericColumn } from '../reader/segment-reader.ts';
import { refsOfColumn, verifyColumnLayout } from './column-part.ts';
import { chunksOf } from './number-chunks.ts';
import { numberColumnLayout, readNumberColumn } from './number-column.ts';
import { writeNumberColumn } from './number-column-writer.ts';
import { planPackedNumbers } from './packed-number-plan.ts';

function run<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function column(kind: 'long' | 'double', values: readonly (number | bigint)[]): NumericColumn {
  const buffer = new NumberColumnBuffer(kind);
  values.forEach((value, doc) => {
    buffer.add(doc, value);
  });
  const container = new ContainerWriter(1_000);
  const sink = new PartSink(container);
  run(writeNumberColumn(buffer.take(values.length), sink));
  container.finish(new Uint8Array(0));
  const bytes = SegmentBytes.ofMemory('x', PLAIN_MEMORY.place(container.bytes.written()));
  const part = new ListedPart(sink.refs, sink.header.written());
  const layout = numberColumnLayout(part);
  part.finish();
  verifyColumnLayout(layout, values.length);
  return readNumberColumn(part.loaded(refsOfColumn(layout).map((ref) => bytes.section(ref))));
}

function widthOf(values: readonly number[]): number | undefined {
  return run(planPackedNumbers(chunksOf(Float64Array.from(values))))?.width;
}

const long = fc.oneof(
  fc.integer({ min: -300, max: 300 }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
);
const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -100_000, max: 100_000 }).map((n) => n / 100),
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 0.1, 1e300),
);

describe('a column of numbers', () => {
  test.each([
    ['long', long],
    ['double', double],
  ] as const)('of kind %s gives every value back, alone and gathered', (kind, arbitrary) => {
    fc.assert(
      fc.property(fc.array(arbitrary, { minLength: 1, maxLength: 60 }), fc.nat(3), (values, slope) => {
        // Longs have no minus zero.
        const given = values.map((value, i) => (kind === 'long' ? clamp(value + slope * 1_000 * i) + 0 : value));
        const read = column(kind, given);
        const all = Uint32Array.from(given, (_, i) => given.length - 1 - i);
        const gathered = new Float64Array(given.length);
        read.gather(all, given.length, gathered);
        const part = read.readRange(1, given.length, new Float64Array(given.length));
        expect(Array.from(part, (value) => value + 0)).toEqual(given.slice(1).map((value) => value + 0));
        given.forEach((value, i) => {
          expect(Object.is(read.value(i), value)).toBe(true);
          expect(Object.is(gathered[given.length - 1 - i], value)).toBe(true);
        });
        expect([read.min + 0, read.max + 0]).toEqual([Math.min(...given) + 0, Math.max(...given) + 0]);
      }),
      { numRuns: 500 },
    );
  });

  test('takes no more bytes a value than it needs', () => {
    const range = (count: number, of: (i: number) => number): number[] =>
      Array.from({ length: count }, (_, i) => of(i));
    expect(widthOf([7, 7, 7])).toBe(0);
    expect(widthOf(range(1_000, (i) => 5_000_000 + i))).toBe(0);
    expect(widthOf(range(1_000, (i) => 5_000_000 + i + Math.floor(i / 10)))).toBe(1);
    expect(widthOf(range(1_000, (i) => (i * 7919) % 1_000_000))).toBe(3);
    expect(widthOf(range(1_000, (i) => ((i * 7919) % 30_000) / 100))).toBe(2);
    expect(widthOf(range(1_000, (i) => 1_700_000_000_000 + ((i * 7_919) % 365) * 86_400_000))).toBe(2);
    expect(widthOf(range(1_000, (i) => 1_700_000_000_000 + ((i * i * 7_919_317) % 31_536_000_000) + (i % 3)))).toBe(5);
    expect(widthOf([Math.PI, Math.E])).toBeUndefined();
    expect(widthOf([0, 2 ** 50])).toBe(1);
    expect(widthOf([1, 2 ** 50, 6])).toBeUndefined();
  });
});

function clamp(value: number): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));
}
