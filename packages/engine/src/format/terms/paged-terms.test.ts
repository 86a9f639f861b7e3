import type { Analyzer } from '@shoal/analysis';
import { parseMapping } from '@shoal/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import { DocumentParser } from '../../document/document-parser.ts';
import type { KernelMemory } from '../../memory/kernel-memory.ts';
import { PLAIN_MEMORY, type SegmentMemory } from '../../memory/segment-memory.ts';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { PAGED_MEMORY, TINY_PAGES } from '../../phases/query/memory-searcher.test-support.ts';
import { SegmentBuffer } from '../../write/buffer/segment-buffer.ts';
import { type BytesFile, bytesFile } from '../container/bytes-file.test-support.ts';
import type { FlatSegment } from '../flat-segment.ts';
import type { HeldPostings } from '../postings/postings-sections.ts';
import { NO_MORE_DOCS } from '../reader/segment-reader.ts';
import { dumpSegment } from '../segment-dump.test-support.ts';
import type { FlatTerms } from './flat-terms.ts';

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
  parseMapping({ properties: { body: { type: 'text' }, tag: { type: 'keyword' }, n: { type: 'long' } } }),
);

interface Doc {
  readonly body?: string;
  readonly tag?: readonly string[];
}

function build(docs: readonly Doc[], memory: SegmentMemory): FlatSegment {
  const buffer = new SegmentBuffer(() => words);
  for (const [i, doc] of docs.entries()) {
    const source = Buffer.from(JSON.stringify(doc));
    const { document } = parser.parse(`id-${i}`, source);
    buffer.add(`id-${i}`, null, source, { version: 1, seqNo: i, primaryTerm: 1 }, document);
  }
  return buffer.seal('_0', memory);
}

/** The segment moved to a file, from which it is read from now on. */
function inFile(segment: FlatSegment): BytesFile {
  const file = bytesFile(segment.bytes.slice());
  segment.moveTo('_0', file, () => {});
  return file;
}

const bytesRead = ({ reads }: BytesFile): number => reads.reduce((sum, [from, to]) => sum + to - from, 0);

function termsOf(segment: FlatSegment, field: string): FlatTerms {
  const terms = segment.parts(field)?.terms ?? null;
  if (terms === null) throw new Error(`no terms of ${field}`);
  return terms;
}

/** Words of which some are in every document, some in 127, 128 and 129, and many in one: the ends of lists and blocks. */
function bodyOf(doc: number): string {
  const own = [`own${doc}`, `few${doc % 97}`, `half${doc % 2}`, 'all', ...('all'.repeat(doc % 3).match(/all/g) ?? [])];
  for (const count of [127, 128, 129, 256, 300]) if (doc < count) own.push(`first${count}`);
  return own.join(' ');
}

const LONG: readonly Doc[] = Array.from({ length: 700 }, (_, doc) => ({
  body: bodyOf(doc),
  tag: [`tag-of-a-document-${doc % 350}`, `t${doc % 5}`],
}));

describe.each([
  ['without kernels', () => PAGED_MEMORY],
  ['with kernels', () => createSegmentMemory({ bytesMax: 2 ** 28, paging: TINY_PAGES })],
])('a segment that is read by pages, %s,', (_name, memory) => {
  test('has the terms, postings, positions and values of one that is read whole', () => {
    const paged = build(LONG, memory());
    const whole = build(LONG, PLAIN_MEMORY);
    expect(dumpSegment(paged)).toEqual(dumpSegment(whole));
    inFile(paged);
    expect(dumpSegment(paged)).toEqual(dumpSegment(whole));
    paged.release();
  });

  test('reads little for a term of a long field and for an id', () => {
    const segment = build(LONG, memory());
    const file = inFile(segment);
    const terms = termsOf(segment, 'body');
    for (const [word, docFreq] of [
      ['own77', 1],
      ['first129', 129],
    ] as const) {
      const before = bytesRead(file);
      const ordinal = terms.find(Buffer.from(word));
      const cursor = terms.postings(ordinal);
      expect([cursor.cost, cursor.advance(77)]).toEqual([docFreq, 77]);
      expect(cursor.positions(new Uint32Array(8))).toBe(1);
      expect(bytesRead(file) - before).toBeLessThan(terms.lengthBytes / 8);
    }
    const before = bytesRead(file);
    expect(segment.id(77)).toBe('id-77');
    expect(bytesRead(file) - before).toBeLessThan(4 * TINY_PAGES.pageBytes + termsOf(segment, '_id').lengthBytes / 8);
    segment.release();
  });

  test('is read whole for a walk through most terms, where there is room', () => {
    const own = memory();
    const [all, little] = [own, createSegmentMemory({ bytesMax: 10_000, paging: TINY_PAGES })].map((into) => {
      const segment = build(LONG, into);
      const file = inFile(segment);
      const terms = termsOf(segment, 'body');
      terms.prepareWalk(terms.size);
      const before = bytesRead(file);
      let postings = 0;
      for (let ordinal = 0; ordinal < terms.size; ordinal++) {
        const cursor = terms.postings(ordinal);
        for (let doc = cursor.next(); doc !== NO_MORE_DOCS; doc = cursor.next()) postings += cursor.freq;
      }
      segment.release();
      return { postings, inWalk: bytesRead(file) - before };
    });
    expect(all?.inWalk).toBe(0);
    expect(little?.inWalk).toBeGreaterThan(0);
    expect(all?.postings).toBe(little?.postings);
  });

  test('gives back all memory when it goes, however many terms were asked for, on kernels and off', () => {
    const own = memory();
    const many = Array.from({ length: 2_500 }, (_, doc) => ({ body: `w${doc} v${doc} common${doc % 3}` }));
    const segment = build(many, own);
    inFile(segment);
    const terms = termsOf(segment, 'body');
    segment.pin();
    for (let ordinal = 0; ordinal < terms.size; ordinal++) {
      const held = terms.holdTerm(ordinal, true);
      expect(held === null).toBe(own.kernels === null);
      expect(terms.postings(ordinal).next()).toBeLessThan(many.length);
      held?.release();
    }
    segment.unpin();
    expect(segment.memoryBytes).toBeGreaterThan(0);
    segment.release();
    if (own.sections !== null) expect(own.sections.plainBytes).toBe(0);
    expect(own.kernels?.usedBytes ?? 0).toBe(0);
  });
});

describe('a column that a kernel reads of a term that is held', () => {
  /** A segment in which the word `all` has a column, made while the term is held. */
  function withColumn() {
    const own = createSegmentMemory({ bytesMax: 2 ** 28, paging: TINY_PAGES });
    const segment = build(
      Array.from({ length: 5_000 }, () => ({ body: 'all other' })),
      own,
    );
    inFile(segment);
    const terms = termsOf(segment, 'body');
    const ordinal = terms.find(Buffer.from('all'));
    const needs = { docFreq: 5_000, docCount: 5_000, memory: own.kernels as KernelMemory };
    /** Holds the term and gives it a column, which it gets when it is asked for again. */
    const take = () => {
      const held = terms.holdTerm(ordinal, false) as HeldPostings;
      const fill = (address: number, length: number) => void own.kernels?.bytesAt(address, length).fill(7);
      held.columns.of(ordinal, needs, fill);
      return { held, column: () => held.columns.of(ordinal, needs, fill) };
    };
    const evictAll = () => {
      while (own.sections.dropOne());
    };
    return { own, segment, terms, ordinal, take, evictAll };
  }

  test('stays when all postings were read for a walk and are evicted', () => {
    const { segment, terms, ordinal, take, evictAll } = withColumn();
    const { held, column } = take();
    expect(column()).toBeGreaterThan(0);
    terms.prepareWalk(terms.size);
    evictAll();
    expect(held.columns.has(ordinal)).toBe(true);
    held.release();
    segment.release();
  });

  test('stays when a walk through the term that began before its eviction reads positions, which are evicted', () => {
    const { own, segment, terms, ordinal, take, evictAll } = withColumn();
    const before = terms.postings(ordinal);
    evictAll();
    const { held, column } = take();
    expect(column()).toBeGreaterThan(0);
    expect([before.next(), before.positions(new Uint32Array(4))]).toEqual([0, 1]);
    evictAll();
    expect(held.columns.has(ordinal)).toBe(true);
    held.release();
    evictAll();
    expect(held.columns.has(ordinal)).toBe(false);
    segment.release();
    expect(own.kernels?.usedBytes).toBe(0);
  });
});

describe('the index of a dictionary', () => {
  test('leads to the first term at or above any, whatever the terms have in common', () => {
    const start = fc.constantFrom('', 'a', 'https://a.very.long.address/of/something/', 'zz');
    const term = fc.tuple(start, fc.string({ unit: fc.constantFrom('a', 'b', 'é', '~'), maxLength: 6 }));
    const text = term.map(([a, b]) => a + b);
    fc.assert(
      fc.property(
        fc.uniqueArray(text, { minLength: 1, maxLength: 120 }),
        fc.array(text, { maxLength: 40 }),
        fc.nat(130),
        (values, wanted, skipped) => {
          const segment = build([{ tag: values }], PAGED_MEMORY);
          inFile(segment);
          const terms = termsOf(segment, 'tag');
          const sorted = values.map((value) => Buffer.from(value)).sort(Buffer.compare);
          expect(terms.size).toBe(sorted.length);
          for (const one of [...wanted, ...values].map((value) => Buffer.from(value))) {
            const ceiling = sorted.findIndex((other) => compareBytes(other, 0, other.length, one) >= 0);
            const expected = ceiling < 0 ? sorted.length : ceiling;
            expect(terms.ceiling(one)).toBe(expected);
            expect(terms.find(one)).toBe(expected < sorted.length && sorted[expected]?.equals(one) ? expected : -1);
            const from = Math.min(skipped, sorted.length);
            expect(terms.ceiling(one, from)).toBe(Math.max(expected, from));
          }
          segment.release();
        },
      ),
      { numRuns: 150 },
    );
  });
});
