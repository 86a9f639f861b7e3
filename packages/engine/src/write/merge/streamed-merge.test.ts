import type { Analyzer } from '@shoal/analysis';
import { parseMapping } from '@shoal/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DocumentParser } from '../../document/document-parser.ts';
import { bytesFile } from '../../format/container/bytes-file.test-support.ts';
import { allDocs, clearDoc } from '../../format/flat-segment.ts';
import { PLAIN_MEMORY, type SegmentMemory } from '../../memory/segment-memory.ts';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { TINY_PAGES } from '../../phases/query/memory-searcher.test-support.ts';
import { SegmentBuffer } from '../buffer/segment-buffer.ts';
import type { DocSortKey } from '../sort/sort-column.ts';
import type { MergeInput } from '../stored/doc-map.ts';
import { mergeInMemory, mergeSpilled } from './merge-in-memory.test-support.ts';
import { sealSorted } from './seal-sorted.ts';

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
      plain: { type: 'text', norms: false },
      tag: { type: 'keyword' },
      value: { type: 'keyword', index: false },
      n: { type: 'long' },
      wide: { type: 'long' },
      huge: { type: 'unsigned_long' },
      d: { type: 'double' },
      at: { type: 'date' },
      b: { type: 'boolean' },
      ip: { type: 'ip' },
      point: { type: 'geo_point' },
      shape: { type: 'geo_shape' },
      range: { type: 'integer_range' },
      part: { type: 'nested', properties: { name: { type: 'keyword' }, of: { type: 'long' } } },
    },
  }),
);

/** Windows of many terms: all of a field is one, as it would be where it is merged whole. */
const WHOLE = { ...TINY_PAGES, mergeWindowBytes: 1 << 30 };
const sorts: readonly (readonly DocSortKey[])[] = [
  [],
  [{ path: 'n', isDescending: true, mode: 'max', isMissingFirst: false }],
  [{ path: 'tag', isDescending: false, mode: 'min', isMissingFirst: true }],
];

const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'ab', 'abcdefgh', 'abcdefghi', 'é', '😀') },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 300 }).map((i) => `rare-word-${i}`) },
);
const coordinate = fc.integer({ min: -80, max: 80 });
const source = fc.record(
  {
    body: fc.array(word, { maxLength: 9 }).map((list) => list.join(' ')),
    plain: fc.array(word, { maxLength: 3 }).map((list) => list.join(' ')),
    tag: fc.array(word, { maxLength: 2 }),
    value: fc.array(word, { maxLength: 2 }),
    n: fc.array(fc.integer(), { maxLength: 2 }),
    wide: fc.integer({ min: 1, max: 9 }).map((n) => `${n}007199254740993123`.slice(0, 18)),
    huge: fc.constantFrom('18446744073709551615', '9223372036854775808', '3'),
    d: fc.double({ noNaN: true, noDefaultInfinity: true }),
    at: fc.integer({ min: 0, max: 2_000_000_000 }),
    b: fc.boolean(),
    ip: fc.constantFrom('10.0.0.1', '::1', '192.168.1.255'),
    point: fc.record({ lat: coordinate, lon: coordinate }),
    shape: fc.tuple(coordinate, coordinate).map(([x, y]) => `POINT (${x} ${y})`),
    range: fc.nat(9).map((from) => ({ gte: from, lte: from + 3 })),
    part: fc.array(fc.record({ name: word, of: fc.nat(9) }), { maxLength: 2 }),
  },
  { requiredKeys: ['body'] },
);
const group = fc
  .tuple(fc.array(source, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 40 }))
  .map(([docs, times]) => Array.from({ length: times }, () => docs).flat());
const which = fc.constantFrom('all', 'most', 'some');

interface InputOptions {
  readonly firstId: number;
  readonly memory: SegmentMemory;
  readonly live: string;
  readonly sort: readonly DocSortKey[];
}

/** A segment in a file, of tiny pages, and its live documents: of a root document all that are nested in it or none. */
function inputOf(docs: readonly object[], { firstId, memory, live, sort }: InputOptions): MergeInput {
  const buffer = new SegmentBuffer(() => words);
  const dead = new Set<number>();
  for (const [i, doc] of docs.entries()) {
    const id = `id-of-${((firstId + i) * 7919) % 100_003}`;
    // An index with an index sort has no nested documents.
    const bytes = Buffer.from(JSON.stringify(sort.length === 0 ? doc : { ...doc, part: undefined }));
    const meta = { version: 1, seqNo: firstId + i, primaryTerm: 1 };
    const ordinal = buffer.add(id, null, bytes, meta, parser.parse(id, bytes).document);
    const isDead = live === 'most' ? i % 7 === 3 : live === 'some' && i % 5 !== 0;
    for (let nested = buffer.blockStart(ordinal); isDead && nested <= ordinal; nested++) dead.add(nested);
  }
  const steps = sealSorted(buffer, '_x', { memory, sort }, 'lz4');
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const { segment } = step.value;
  segment.moveTo('_x', bytesFile(segment.bytes.slice()), () => {});
  if (live === 'all') return { segment, live: null };
  const bits = allDocs(segment.docCount);
  for (const doc of dead) clearDoc(bits, doc);
  return { segment, live: bits };
}

const asInputs = (inputs: readonly MergeInput[], memory: SegmentMemory): readonly MergeInput[] =>
  inputs.map(({ segment, live }) => ({ segment: segment.asMergeInput(memory), live }));

/** Merges in one window a field, in memory; then in the smallest windows, spilling all: every byte is the same. */
async function compareMerges(inputs: readonly MergeInput[], sort: readonly DocSortKey[], small: SegmentMemory) {
  const whole = { ...PLAIN_MEMORY, paging: WHOLE };
  const expected = mergeInMemory('_m', asInputs(inputs, whole), whole, sort);
  const streamed = await mergeSpilled('_m', asInputs(inputs, small), small, sort);
  expect(streamed === null).toBe(expected === null);
  if (expected === null || streamed === null) return;
  expect(streamed.docMaps).toEqual(expected.docMaps);
  expect(Buffer.compare(streamed.segment.bytes, expected.segment.bytes)).toBe(0);
  const [a, b] = [streamed.segment, expected.segment].map(({ stored: { bytes } }) => bytes.read(0, bytes.length));
  expect(Buffer.compare(a as Uint8Array, b as Uint8Array)).toBe(0);
  streamed.segment.release();
}

describe.each([
  ['without kernels', () => ({ ...PLAIN_MEMORY, paging: TINY_PAGES })],
  ['with kernels', () => createSegmentMemory({ bytesMax: 2 ** 28, paging: TINY_PAGES })],
])('a merge by pages, %s,', (_name, memory) => {
  test('writes the bytes of one that has whole fields in memory', async () => {
    const small = memory();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(group, which), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...sorts),
        async (groups, sort) => {
          let firstId = 0;
          const inputs = groups.map(([docs, live]) => {
            const input = inputOf(docs, { firstId, memory: small, live, sort });
            firstId += docs.length;
            return input;
          });
          await compareMerges(inputs, sort, small);
          for (const { segment } of inputs) segment.release();
        },
      ),
      { numRuns: 25, seed: 20_261_129 },
    );
    expect(small.kernels?.usedBytes ?? 0).toBe(0);
  });

  test('takes terms of many blocks a few blocks at a time', async () => {
    const small = memory();
    const many = Array.from({ length: 2_000 }, (_, i) => ({
      body: `always ${i % 10 === 0 ? 'often' : ''} ${'again '.repeat(i % 7)} ${i % 3 === 0 ? 'third' : ''} own${i}`,
    }));
    const lives = ['all', 'most', 'some', 'all'];
    const sizes = [2_000, 129, 128, 1_500];
    const inputs = lives.map((live, i) =>
      inputOf(many.slice(0, sizes[i]), { firstId: i * 2_000, memory: small, live, sort: [] }),
    );
    await compareMerges(inputs, [], small);
    for (const { segment } of inputs) segment.release();
    expect(small.kernels?.usedBytes ?? 0).toBe(0);
  });
});

describe('the memory of a merge', () => {
  /** Most bytes that kernels, streams and sections had at a time while segments of so many documents were merged. */
  async function peakOf(docCount: number): Promise<number> {
    const memory = createSegmentMemory({ bytesMax: 2 ** 28, paging: { ...TINY_PAGES, mergeWindowBytes: 4_096 } });
    const docs = Array.from({ length: docCount }, (_, i) => ({
      body: `always ${'again '.repeat(i % 9)} word${i % 500} own${i} other${(i * 7919) % docCount}`,
      n: [i * 31],
    }));
    const inputs = [0, 1, 2].map((k) => inputOf(docs, { firstId: k * docCount, memory, live: 'all', sort: [] }));
    const readers = asInputs(inputs, memory);
    let peak = 0;
    const merged = await mergeSpilled('_m', readers, memory, [], (spill) => {
      const sections = readers.reduce(
        (sum, { segment }) => sum + segment.memoryBytes - segment.stored.bytes.memoryBytes,
        0,
      );
      peak = Math.max(peak, (memory.kernels?.usedBytes ?? 0) + spill.waitingBytes + sections);
    });
    expect(merged?.segment.docCount).toBe(3 * docCount);
    merged?.segment.release();
    for (const { segment } of inputs) segment.release();
    return peak;
  }

  test.runIf(createSegmentMemory({ bytesMax: 2 ** 20 }).kernels !== null)(
    'grows by what it holds of each document, and not by terms and postings',
    async () => {
      const [few, many] = [await peakOf(1_000), await peakOf(6_000)];
      // Norms, and the column of the ids and of the numbers in turn.
      expect(many - few).toBeLessThan(3 * 5_000 * 8);
    },
  );
});
