import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ContainerWriter } from '../../format/container/container-writer.ts';
import { PartSink } from '../../format/container/part-sink.ts';
import type { PostingsShape, WrittenPostings } from '../../format/postings/written-postings.ts';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { encodeInverted } from './encode-inverted.ts';
import { NoKernelRoom, PostingsMemory } from './postings-job.ts';
import { type InvertedField, writeInverted } from './write-inverted.ts';

const memory = createSegmentMemory({ bytesMax: 2 ** 30 });
const { kernels } = memory;

interface Posting {
  readonly gap: number;
  readonly positions: readonly number[];
}

interface Term {
  readonly text: string;
  readonly postings: readonly Posting[];
}

const FULL: PostingsShape = { hasFreqs: true, hasPositions: true, hasPostings: true };
const SHAPES: readonly PostingsShape[] = [
  FULL,
  { hasFreqs: true, hasPositions: false, hasPostings: true },
  { hasFreqs: false, hasPositions: false, hasPostings: true },
  { hasFreqs: false, hasPositions: false, hasPostings: false },
];

/** Terms as arrays, in the order of their texts, and norms of all documents. */
function invert(shape: PostingsShape, terms: readonly Term[]): { field: InvertedField; norms: Uint8Array } {
  const sorted = [...new Map(terms.map((term) => [term.text, term])).values()].sort((a, b) =>
    Buffer.compare(Buffer.from(a.text), Buffer.from(b.text)),
  );
  const bytes = Buffer.concat(sorted.map(({ text }) => Buffer.from(text)));
  const ends = [0];
  for (const { text } of sorted) ends.push((ends.at(-1) ?? 0) + Buffer.byteLength(text));
  const docs: number[] = [];
  const freqs: number[] = [];
  const positions: number[] = [];
  const docStarts = [0];
  const positionStarts = [0];
  let last = 0;
  for (const { postings } of sorted) {
    let doc = -1;
    for (const { gap, positions: places } of postings) {
      doc += gap;
      docs.push(doc);
      freqs.push(places.length);
      for (const place of places) positions.push(place);
    }
    last = Math.max(last, doc);
    docStarts.push(docs.length);
    positionStarts.push(positions.length);
  }
  const norms = Uint8Array.from({ length: last + 1 }, (_, doc) => (doc * 2_654_435_761) >>> (32 - (doc % 9)));
  return {
    field: {
      shape,
      terms: { bytes, start: (id) => ends[id] as number, end: (id) => ends[id + 1] as number },
      order: Uint32Array.from(sorted.keys()),
      docStarts: Uint32Array.from(docStarts),
      docs: Uint32Array.from(docs),
      freqs: shape.hasFreqs ? Uint32Array.from(freqs) : null,
      positionStarts: Uint32Array.from(positionStarts),
      positions: shape.hasPositions ? Uint32Array.from(positions) : null,
    },
    norms,
  };
}

function run<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Sections and directory. */
function bytesOf(written: WrittenPostings): Uint8Array {
  const container = new ContainerWriter(1 << 12);
  const sink = new PartSink(container);
  run(written.finish(sink, 7));
  container.finish(sink.header.written());
  return container.bytes.written();
}

function encodeByKernels(field: InvertedField, norms: Uint8Array | null): WrittenPostings {
  if (kernels?.postings == null) throw new NoKernelRoom();
  return run(encodeInverted(field, norms, new PostingsMemory(kernels, kernels.postings)));
}

/** Number of any width up to that many bits. */
const number = (bitsMax: number) =>
  fc.integer({ min: 0, max: bitsMax }).chain((bits) => fc.integer({ min: 0, max: 2 ** bits - 1 }));
const positions = fc.oneof(
  { weight: 8, arbitrary: fc.array(number(18), { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.array(number(31), { minLength: 1, maxLength: 300 }) },
);
const posting: fc.Arbitrary<Posting> = fc.record({
  gap: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 400 })),
  positions: positions.map((places) => places.sort((a, b) => a - b)),
});
const term: fc.Arbitrary<Term> = fc.record({
  text: fc.string({ maxLength: 12 }),
  postings: fc
    .oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 120, max: 135 }), fc.integer({ min: 250, max: 400 }))
    .chain((length) => fc.array(posting, { minLength: length, maxLength: length })),
});

describe.runIf(kernels?.postings != null)('kernels that encode an inverted field', () => {
  test('write the bytes that the plain form writes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SHAPES),
        fc.array(term, { maxLength: 12 }),
        fc.boolean(),
        (shape, terms, hasNorms) => {
          const { field, norms } = invert(shape, terms);
          const own = hasNorms && shape.hasPostings ? norms : null;
          const written = encodeByKernels(field, own);
          expect(written.termCount).toBe(field.order.length);
          expect(Buffer.compare(bytesOf(written), bytesOf(run(writeInverted(field, own))))).toBe(0);
        },
      ),
      { numRuns: 150 },
    );
    expect(kernels?.usedBytes).toBe(0);
  });

  test('take terms and documents that are larger than any buffer, and more of them than any batch', () => {
    const long = (length: number, step: number): Posting => ({
      gap: 1,
      positions: Array.from({ length }, (_, i) => i * step),
    });
    const once: Posting = { gap: 2, positions: [5] };
    const terms: Term[] = [
      { text: 'a', postings: Array.from({ length: 40_000 }, (_, i) => ({ gap: 1 + (i % 3), positions: [i % 50] })) },
      { text: 'b', postings: [once, long(100_000, 3), once] },
      { text: 'c', postings: Array.from({ length: 300 }, () => long(1_500, 7)) },
      { text: 'd'.repeat(100_000), postings: [once] },
      { text: 'e', postings: [long(60_000, 1)] },
      ...Array.from({ length: 5_000 }, (_, i) => ({ text: `f${i}`, postings: [once, once] })),
    ];
    for (const shape of SHAPES) {
      const { field, norms } = invert(shape, terms);
      const written = bytesOf(encodeByKernels(field, norms));
      expect(Buffer.compare(written, bytesOf(run(writeInverted(field, norms))))).toBe(0);
    }
    expect(kernels?.usedBytes).toBe(0);
  });

  test('give back their memory when they are stopped half way, and when it ends', () => {
    const { field, norms } = invert(FULL, [
      { text: 'a', postings: Array.from({ length: 40_000 }, () => ({ gap: 1, positions: [1] })) },
    ]);
    if (kernels?.postings == null) return;
    const steps = encodeInverted(field, norms, new PostingsMemory(kernels, kernels.postings));
    steps.next();
    expect(kernels.usedBytes).toBeGreaterThan(0);
    steps.return(undefined as never);
    expect(kernels.usedBytes).toBe(0);
    const small = createSegmentMemory({ bytesMax: 2 ** 18 });
    if (small.kernels?.postings == null) return;
    const memoryOfSmall = new PostingsMemory(small.kernels, small.kernels.postings);
    expect(() => run(encodeInverted(field, norms, memoryOfSmall))).toThrow(NoKernelRoom);
    expect(small.kernels.usedBytes).toBe(0);
  });
});
