import { ByteSink } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FREQ_ENDLESS, ImpactFrontier, impactFreq, impactNorm } from './impact-frontier.ts';
import { bitWidth, packBlock, sumDeltas, unpackBlock } from './packed-block.ts';
import { PACKED_RUN_PADDING, readPackedRun, writePackedRun } from './packed-run.ts';
import { readPostingsList, writePostingsList } from './postings-list.ts';

const wide = fc.integer({ min: 0, max: 32 }).chain((bits) => {
  const max = 2 ** bits - 1;
  return fc.record({ bits: fc.constant(bits), values: fc.array(fc.integer({ min: 0, max }), { maxLength: 300 }) });
});

describe('a block of 128 numbers', () => {
  test('comes back from its lanes at every width', () => {
    fc.assert(
      fc.property(wide, fc.integer({ min: 0, max: 5 }), ({ bits, values }, at) => {
        const block = new Uint32Array(128);
        block.set(values.slice(0, 128));
        const words = new Uint32Array(at + 4 * bits);
        packBlock(block, bits, words, at);
        const back = new Uint32Array(128).fill(7);
        unpackBlock(words, at, bits, back);
        expect(back).toEqual(block);
      }),
    );
  });

  test('of deltas becomes documents behind the one before', () => {
    const values = new Uint32Array(128).fill(2);
    sumDeltas(values, -1);
    expect([values[0], values[1], values[127]]).toEqual([1, 3, 255]);
  });
});

test('a packed run gives any of its numbers alone', () => {
  fc.assert(
    fc.property(wide, fc.integer({ min: 0, max: 9 }), ({ bits, values }, before) => {
      const sink = new ByteSink();
      sink.raw(new Uint8Array(before).fill(0xff));
      const numbers = Uint32Array.from(values);
      writePackedRun(numbers, numbers.length, bits, sink);
      expect(sink.length).toBe(before + Math.ceil((bits * numbers.length) / 8));
      sink.raw(new Uint8Array(PACKED_RUN_PADDING).fill(0xff));
      const bytes = sink.copy();
      expect(Array.from(numbers, (_, i) => readPackedRun(bytes, before, bits, i))).toEqual([...numbers]);
    }),
  );
});

test('a list gives back documents and frequencies, and says where it ends', () => {
  const posting = fc.tuple(fc.integer({ min: 1, max: 0x7fff_ffff }), fc.integer({ min: 1, max: 0x7fff_ffff }));
  fc.assert(
    fc.property(fc.array(posting, { maxLength: 127 }), (postings) => {
      const kept = postings.map(([delta], i) => [delta, postings[i]?.[1] ?? 1] as const);
      const docs: number[] = [];
      const freqs: number[] = [];
      let last = -1;
      for (const [delta, freq] of kept) {
        if (last + delta > 0x7fff_ffff) break;
        last += delta;
        docs.push(last);
        freqs.push(freq);
      }
      const sink = new ByteSink();
      const count = docs.length;
      writePostingsList({ docs: Uint32Array.from(docs), freqs: Uint32Array.from(freqs), count, base: -1 }, sink);
      const back = { docs: new Uint32Array(count), freqs: new Uint32Array(count), count, base: -1 };
      expect(readPostingsList(sink.copy(), 0, back)).toBe(sink.length);
      expect([...back.docs]).toEqual(docs);
      expect([...back.freqs]).toEqual(freqs);
    }),
  );
});

describe('the impacts of a block', () => {
  const document = fc.tuple(
    fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 0x7fff_ffff })),
    fc.integer({ min: 0, max: 255 }),
  );
  test('bound every document by one pair, and are at most eight', () => {
    const frontier = new ImpactFrontier();
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 128 }), (documents) => {
        for (const [freq, norm] of documents) frontier.add(freq, norm);
        const pairs = [...frontier.take()];
        expect(pairs.length).toBeLessThanOrEqual(8);
        for (const [freq, norm] of documents) {
          const isBound = pairs.some((pair) => {
            const most = impactFreq(pair);
            return (most >= freq || most === FREQ_ENDLESS) && impactNorm(pair) <= norm;
          });
          expect(isBound).toBe(true);
        }
      }),
    );
  });

  test('are only pairs that no other makes idle', () => {
    const frontier = new ImpactFrontier();
    for (const [freq, norm] of [
      [3, 10],
      [2, 10],
      [3, 12],
      [5, 20],
      [1, 4],
    ] as const)
      frontier.add(freq, norm);
    expect([...frontier.take()].map((pair) => [impactFreq(pair), impactNorm(pair)])).toEqual([
      [1, 4],
      [3, 10],
      [5, 20],
    ]);
    expect(frontier.take().length).toBe(0);
  });
});

test('the width of numbers is that of all of them together', () => {
  expect([0, 1, 2, 255, 256, 0xffff_ffff].map(bitWidth)).toEqual([0, 1, 2, 8, 9, 32]);
});
