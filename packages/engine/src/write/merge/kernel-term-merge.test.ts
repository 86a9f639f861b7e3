import type { Analyzer } from '@shoal/analysis';
import { parseMapping } from '@shoal/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DocumentParser } from '../../document/document-parser.ts';
import type { FlatSegment } from '../../format/flat-segment.ts';
import { PLAIN_MEMORY, type SegmentMemory } from '../../memory/segment-memory.ts';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { SegmentBuffer } from '../buffer/segment-buffer.ts';
import type { MergeInput } from '../stored/doc-map.ts';
import { mergeInMemory } from './merge-in-memory.test-support.ts';

const memory = createSegmentMemory({ bytesMax: 2 ** 30 });

const words: Analyzer = {
  name: 'words',
  positionIncrementGap: 100,
  normalize: (text) => text,
  analyze: (text, consume) => {
    for (const match of text.matchAll(/\S+/g)) consume(match[0], match.index, match.index + match[0].length, 1, 'word');
    return 0;
  },
};

const parser = new DocumentParser(
  parseMapping({
    properties: {
      body: { type: 'text', fields: { freqs: { type: 'text', index_options: 'freqs' } } },
      tag: { type: 'keyword' },
      value: { type: 'keyword', index: false },
      n: { type: 'long' },
      b: { type: 'boolean' },
    },
  }),
);

interface Doc {
  readonly body: string;
  readonly tag?: readonly string[];
  readonly value?: readonly string[];
  readonly n?: readonly number[];
  readonly b?: boolean;
}

let nextId = 0;

function build(docs: readonly Doc[], into: SegmentMemory): FlatSegment {
  const buffer = new SegmentBuffer(() => words);
  for (const doc of docs) {
    const id = `id-of-document-${(nextId++ * 7919) % 1_000_003}`;
    const source = Buffer.from(JSON.stringify(doc));
    buffer.add(id, null, source, { version: 1, seqNo: nextId, primaryTerm: 1 }, parser.parse(id, source).document);
  }
  return buffer.seal('_x', into);
}

/** Merged both ways; compares every byte. */
function mergeBothWays(inputs: readonly MergeInput[]): void {
  const plain = mergeInMemory('_m', inputs, PLAIN_MEMORY);
  const byKernels = mergeInMemory('_m', inputs, memory);
  expect(byKernels === null).toBe(plain === null);
  if (plain === null || byKernels === null) return;
  expect(Buffer.compare(byKernels.segment.bytes, plain.segment.bytes)).toBe(0);
  expect(byKernels.docMaps).toEqual(plain.docMaps);
  byKernels.segment.release();
}

/** Bits of the live documents among `count`. */
function liveBits(count: number, isLive: (doc: number) => boolean): Uint8Array {
  const bits = new Uint8Array((count + 7) >>> 3);
  for (let doc = 0; doc < count; doc++)
    if (isLive(doc)) bits[doc >>> 3] = (bits[doc >>> 3] as number) | (1 << (doc & 7));
  return bits;
}

const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'ab', 'abcdefgh', 'abcdefghi', 'abcdefgh\u0001', 'é', '😀') },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 400 }).map((i) => `rare-word-${i}`) },
);
const doc: fc.Arbitrary<Doc> = fc.record(
  {
    body: fc.array(word, { maxLength: 9 }).map((list) => list.join(' ')),
    tag: fc.array(word, { maxLength: 2 }),
    value: fc.array(word, { maxLength: 2 }),
    n: fc.array(fc.integer(), { maxLength: 2 }),
    b: fc.boolean(),
  },
  { requiredKeys: ['body'] },
);
const group = fc
  .tuple(fc.array(doc, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 30 }))
  .map(([docs, times]) => Array.from({ length: times }, () => docs).flat());

describe.runIf(memory.kernels !== null)('kernels that merge terms', () => {
  test('write the bytes that the plain form writes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(group, fc.boolean(), fc.constantFrom('all', 'most', 'some', 'none')), {
          minLength: 1,
          maxLength: 5,
        }),
        fc.integer({ min: 2, max: 40 }),
        (groups, stride) => {
          const inputs = groups.map(([docs, isElsewhere, which]): MergeInput => {
            const segment = build(docs, isElsewhere ? PLAIN_MEMORY : memory);
            const isLive = (doc: number): boolean =>
              which === 'most' ? doc % stride !== 0 : which === 'some' ? doc % stride === 0 : which === 'all';
            return { segment, live: which === 'all' ? null : liveBits(docs.length, isLive) };
          });
          mergeBothWays(inputs);
          for (const { segment } of inputs) segment.release();
        },
      ),
      { numRuns: 60 },
    );
    expect(memory.kernels?.usedBytes).toBe(0);
  });

  test('merge terms of many blocks and documents of many positions a part at a time', () => {
    const many = Array.from({ length: 3_000 }, (_, i) => ({
      body: `${i % 10 === 0 ? 'often' : 'always'} ${'again '.repeat(i % 7)} ${i}`,
    }));
    const long = [
      { body: `${'again '.repeat(30_000)}often` },
      { body: `${'other '.repeat(9_000)}${'x'.repeat(32_766)}` },
    ];
    const live = liveBits(many.length, (doc) => doc % 5 !== 0);
    const groups = [many, long, many, long];
    const inputs = groups.map((docs, i) => ({ segment: build(docs, memory), live: i === 2 ? live : null }));
    mergeBothWays(inputs);
    for (const { segment } of inputs) segment.release();
    expect(memory.kernels?.usedBytes).toBe(0);
  });

  test('leave the merge to the plain form where there is no room for them', () => {
    const small = createSegmentMemory({ bytesMax: 2 ** 19 });
    const inputs = [0, 1].map(() => ({ segment: build([{ body: 'a b' }, { body: 'b' }], small), live: null }));
    const plain = mergeInMemory('_m', inputs, PLAIN_MEMORY);
    const merged = mergeInMemory('_m', inputs, small);
    expect(Buffer.compare(merged!.segment.bytes, plain!.segment.bytes)).toBe(0);
  });
});
