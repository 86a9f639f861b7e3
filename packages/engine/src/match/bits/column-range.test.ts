import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BLOCK_DOCS } from '../../format/reader/number-blocks.ts';
import { NO_MORE_DOCS } from '../../format/reader/segment-reader.ts';
import { memoryContext } from '../../phases/query/memory-searcher.test-support.ts';
import { docsOfNumberRange } from './column-range.ts';
import { wordsOf } from './doc-bits.ts';

const DOCS = 5 * BLOCK_DOCS + 77;
const STEP = 256;

/** Ascending as in a log, but for one block of the same numbers and one of numbers in no order. */
const dense = Array.from({ length: DOCS }, (_, doc) => {
  const block = Math.floor(doc / BLOCK_DOCS);
  return block === 2 ? 2 * BLOCK_DOCS : block === 3 ? (doc * 7_919) % DOCS : doc;
});
/** A block without any, one with a few that lack theirs, and documents with two. */
const sparse = dense.map((value, doc): readonly number[] => {
  const block = Math.floor(doc / BLOCK_DOCS);
  if (block === 1 || (block === 4 && doc % 100 === 0)) return [];
  return block === 3 ? [value, value + 500] : [value];
});
const docs = dense.map((n, doc) => ({ id: String(doc), source: JSON.stringify({ n, s: sparse[doc] }) }));
const context = memoryContext({ properties: { n: { type: 'integer' }, s: { type: 'integer' } } }, [docs]);
const view = context.searcher.views[0]!;
const rangeArb = fc.tuple(fc.integer({ min: -10, max: DOCS + 600 }), fc.nat(2 * STEP * 10));

test.each([
  ['one number a document', 'n', dense.map((value) => [value])],
  ['any number of them', 's', sparse],
] as const)('a range finds by bits and one by one what comparing each number finds, with %s', (_, field, values) => {
  fc.assert(
    fc.property(rangeArb, fc.nat(4), fc.nat(5), ([from, length], firstBlock, blocks) => {
      const to = from + length;
      const plain = values.flatMap((own, doc) => (own.some((value) => value >= from && value <= to) ? [doc] : []));
      const found = docsOfNumberRange(view, field, { from, to });
      const oneByOne: number[] = [];
      for (let doc = found?.next() ?? NO_MORE_DOCS; doc !== NO_MORE_DOCS; doc = found!.next()) oneByOne.push(doc);
      expect(oneByOne).toEqual(plain);
      if (found === null) return;
      // Any blocks of the segment, over words that hold something else before.
      const first = firstBlock * BLOCK_DOCS;
      const last = Math.min(DOCS, first + (blocks + 1) * BLOCK_DOCS);
      const words = new Uint32Array(wordsOf(last - first) + 2).fill(0xdead_beef);
      found.bits!.fill(words, 1, first, last);
      const byBits = Array.from({ length: 32 * wordsOf(last - first) }, (_, i) => first + i).filter(
        (doc) => ((words[1 + ((doc - first) >>> 5)]! >>> ((doc - first) & 31)) & 1) === 1,
      );
      expect(byBits).toEqual(plain.filter((doc) => doc >= first && doc < last));
      expect([words[0], words.at(-1)]).toEqual([0xdead_beef, 0xdead_beef]);
    }),
    { numRuns: 60 },
  );
});
