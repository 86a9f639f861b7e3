import { crc32 } from 'node:zlib';
import type { Analyzer } from '@shoal/analysis';
import { parseMapping } from '@shoal/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DocumentParser } from '../document/document-parser.ts';
import { PLAIN_MEMORY } from '../memory/segment-memory.ts';
import { SegmentBuffer } from '../write/buffer/segment-buffer.ts';
import { mergeInMemory } from '../write/merge/merge-in-memory.test-support.ts';
import { FlatSegment, isLive } from './flat-segment.ts';
import { NO_MORE_DOCS } from './reader/segment-reader.ts';
import { dumpSegment as dump } from './segment-dump.test-support.ts';
import { StoredBytes } from './stored/stored-bytes.ts';

const whitespace: Analyzer = {
  name: 'whitespace',
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
      body: { type: 'text', fields: { raw: { type: 'keyword' } } },
      tag: { type: 'keyword', index: false },
      n: { type: 'long' },
      d: { type: 'double' },
      b: { type: 'boolean' },
      ip: { type: 'ip' },
    },
  }),
);

interface Doc {
  readonly body?: string | readonly string[];
  readonly tag?: readonly string[];
  readonly n?: readonly (number | bigint)[];
  readonly d?: number;
  readonly b?: boolean;
  readonly ip?: string;
}

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function json(doc: Doc): Uint8Array {
  return encode(JSON.stringify(doc, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)));
}

function build(docs: readonly Doc[], name = '_0', firstId = 0): FlatSegment {
  const buffer = new SegmentBuffer(() => whitespace);
  docs.forEach((doc, i) => {
    const id = `id${firstId + i}`;
    const source = json(doc);
    const routing = i % 3 === 0 ? `r${i % 7}` : null;
    const { document } = parser.parse(id, source);
    buffer.add(id, routing, source, { version: i + 1, seqNo: firstId + i, primaryTerm: 1 }, document);
    expect(decode(buffer.document(i))).toBe(decode(source));
  });
  return buffer.seal(name);
}

/** The segment opened again from the bytes of its two files. */
function reopen(segment: FlatSegment, path: string, bytes: Uint8Array = segment.bytes.slice()): FlatSegment {
  const { stored } = segment;
  const copy = StoredBytes.ofMemory(`${path}.docs`, stored.bytes.read(0, stored.bytes.length).slice());
  return FlatSegment.open(bytes, path, PLAIN_MEMORY, { stored: copy, isTrusted: false });
}

const word = fc.constantFrom('a', 'b', 'cc', 'ddd', 'é', '😀', '\ufffd', 'zz');
const docArbitrary: fc.Arbitrary<Doc> = fc.record(
  {
    body: fc.oneof(
      fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
      fc.array(word, { maxLength: 3 }),
    ),
    tag: fc.array(word, { maxLength: 3 }),
    n: fc.array(fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), {
      maxLength: 3,
    }),
    d: fc.double({ noNaN: true, noDefaultInfinity: true }),
    b: fc.boolean(),
    ip: fc.constantFrom('10.0.0.1', '::1', '192.168.1.255'),
  },
  { requiredKeys: [] },
);

describe('a segment', () => {
  test('answers what a naive model of its documents answers', () => {
    fc.assert(
      fc.property(fc.array(docArbitrary, { minLength: 1, maxLength: 40 }), (docs) => {
        const segment = reopen(build(docs), 'copy');
        const expected = new Map<string, Map<number, number[]>>();
        docs.forEach((doc, ordinal) => {
          let position = -1;
          const values = doc.body === undefined ? [] : typeof doc.body === 'string' ? [doc.body] : doc.body;
          values.forEach((value, i) => {
            if (i > 0) position += 100;
            for (const match of value.matchAll(/\S+/g)) {
              position++;
              const postings = expected.get(match[0]) ?? new Map<number, number[]>();
              expected.set(match[0], postings.set(ordinal, [...(postings.get(ordinal) ?? []), position]));
            }
          });
        });
        const terms = segment.terms('body');
        expect(terms?.size ?? 0).toBe(expected.size);
        const positions = new Uint32Array(100);
        for (const [term, postings] of expected) {
          const cursor = terms!.postings(terms!.find(encode(term)));
          for (const [doc, at] of postings) {
            expect(cursor.next()).toBe(doc);
            expect(cursor.freq).toBe(at.length);
            cursor.positions(positions);
            expect(Array.from(positions.subarray(0, at.length))).toEqual(at);
          }
          expect(cursor.next()).toBe(NO_MORE_DOCS);
        }
        const numbers = segment.numericColumn('n');
        expect(numbers === null).toBe(docs.every((doc) => (doc.n ?? []).length === 0));
        docs.forEach((doc, ordinal) => {
          if (numbers === null) return;
          const sorted = (doc.n ?? []).map(BigInt).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
          const from = numbers.start(ordinal);
          expect(numbers.start(ordinal + 1) - from).toBe(sorted.length);
          sorted.forEach((value, i) => {
            expect(numbers.bigValue(from + i)).toBe(value);
          });
        });
      }),
      { numRuns: 60 },
    );
  });

  test('skips by blocks to the first document at or behind the target', () => {
    const docs = Array.from({ length: 1000 }, (_, i) => ({ body: i % 3 === 0 ? 'x x y' : i % 7 === 0 ? 'x' : 'z' }));
    const terms = build(docs).terms('body')!;
    const all = docs.flatMap((doc, i) => (doc.body.includes('x') ? [i] : []));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 30 }), (jumps) => {
        const cursor = terms.postings(terms.find(encode('x')));
        const positions = new Uint32Array(4);
        let target = 0;
        for (const jump of jumps) {
          target += jump;
          if (target <= cursor.doc) continue;
          const expected = all.find((doc) => doc >= target) ?? NO_MORE_DOCS;
          expect(cursor.advance(target)).toBe(expected);
          if (expected === NO_MORE_DOCS) break;
          expect(cursor.freq).toBe(expected % 3 === 0 ? 2 : 1);
          expect(cursor.positions(positions)).toBe(cursor.freq);
          expect(positions[0]).toBe(0);
          target = expected;
        }
      }),
    );
  });

  test('with any bit flipped is refused', () => {
    const segment = build([
      { body: 'a b', n: [1, 2], tag: ['x'] },
      { body: 'b c', b: true },
    ]);
    const { bytes } = segment;
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const damaged = bytes.slice();
        damaged[bit >>> 3] = damaged[bit >>> 3]! ^ (1 << (bit & 7));
        expect(() => reopen(segment, 'x', damaged)).toThrow();
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), (length) => {
        expect(() => reopen(segment, 'x', bytes.slice(0, length))).toThrow();
      }),
    );
  });

  test('whose stored documents have any bit flipped gives the right ones or none', () => {
    const docs = Array.from({ length: 40 }, (_, i) => ({ body: `doc ${i} ${'filling words '.repeat(40 + i)}` }));
    const segment = build(docs);
    const whole = segment.stored.bytes.read(0, segment.stored.bytes.length).slice();
    let found = 0;
    fc.assert(
      fc.property(fc.nat(whole.length * 8 - 1), (bit) => {
        const damaged = whole.slice();
        damaged[bit >>> 3] = damaged[bit >>> 3]! ^ (1 << (bit & 7));
        try {
          const stored = StoredBytes.ofMemory('x.docs', damaged);
          const opened = FlatSegment.open(segment.bytes.slice(), 'x', PLAIN_MEMORY, { stored, isTrusted: false });
          docs.forEach((doc, i) => {
            expect(decode(opened.source(i))).toBe(JSON.stringify(doc));
          });
          expect.unreachable(`bit ${bit} was not missed`);
        } catch (error) {
          expect(error).toMatchObject({ status: 500, message: expect.stringContaining('x.docs') });
          found++;
        }
      }),
      { numRuns: 300 },
    );
    expect(found).toBe(300);
  });

  test.each([
    [3, 'index_format_too_old_exception'],
    [7, 'index_format_too_new_exception'],
  ])('of format version %i is refused with both versions named', (version, type) => {
    const segment = build([{ body: 'a' }]);
    const bytes = segment.bytes.slice();
    const header = Buffer.from(bytes.buffer, 0, 16);
    header.writeUInt32LE(version, 8);
    header.writeUInt32LE(crc32(header.subarray(0, 12)), 12);
    const reason = `segment file [x] has format version [${version}], this program reads versions [4] to [6]`;
    expect(() => reopen(segment, 'x', bytes)).toThrow(expect.objectContaining({ type, message: reason }));
  });

  test('of many blocks keeps every source through merges, with deletes and without', () => {
    const docs = (from: number, count: number): Doc[] =>
      Array.from({ length: count }, (_, i) => ({ body: `doc ${from + i} ${'filling words '.repeat(20 + (i % 40))}` }));
    const all = [docs(0, 150), docs(150, 1), docs(151, 200)];
    let firstId = 0;
    const inputs = all.map((group) => {
      const segment = build(group, '_x', firstId);
      firstId += group.length;
      return { segment, live: null };
    });
    const dead = new Uint8Array(25).fill(0xff);
    dead[3] = 0;
    for (const last of [null, dead]) {
      const output = mergeInMemory('_m', [...inputs.slice(0, 2), { ...inputs[2]!, live: last }]);
      const merged = reopen(output!.segment, 'merged');
      const kept = all.flat().filter((_, i) => last === null || i < 151 + 24 || i >= 151 + 32);
      expect(merged.docCount).toBe(kept.length);
      kept.forEach((doc, i) => {
        expect(decode(merged.source(i))).toBe(JSON.stringify(doc));
      });
      // The merged segment is merged again, so that blocks taken over are taken over once more.
      const again = mergeInMemory('_n', [{ segment: merged, live: null }, inputs[1]!]);
      expect(decode(again!.segment.source(kept.length))).toBe(JSON.stringify(all[1]![0]));
      expect(decode(again!.segment.source(kept.length - 1))).toBe(JSON.stringify(kept.at(-1)));
    }
  });

  test('merged from several is the one built from the live documents', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(docArbitrary, { minLength: 1, maxLength: 15 }), { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.boolean())),
        (groups, lives) => {
          let firstId = 0;
          const buffer = new SegmentBuffer(() => whitespace);
          const inputs = groups.map((docs) => {
            const segment = build(docs, '_x', firstId);
            firstId += docs.length;
            const live = new Uint8Array(Math.ceil(docs.length / 8));
            docs.forEach((doc, i) => {
              if (lives.next().value !== true) return;
              live[i >>> 3] = live[i >>> 3]! | (1 << (i & 7));
              const id = segment.id(i);
              const { document } = parser.parse(id, json(doc));
              buffer.add(id, segment.routing(i), json(doc), segment.meta(i), document);
              expect(isLive(live, i)).toBe(true);
            });
            return { segment, live };
          });
          const output = mergeInMemory('_m', inputs);
          expect(output === null).toBe(buffer.docCount === 0);
          if (output === null) return;
          const merged = reopen(output.segment, 'merged');
          expect(dump(merged)).toEqual(dump(buffer.seal('_m')));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the bytes of fields', () => {
  test('are those of the files, but for padding and the directories', () => {
    const docs = Array.from({ length: 500 }, (_, i) => ({
      body: `a b${i % 7} c${i}`,
      tag: [`t${i % 9}`],
      n: [i * 3],
      d: i / 7,
    }));
    const segment = build(docs);
    const fields = segment.fieldBytes();
    const sum = fields.reduce(
      (total, { name: _, ...bytes }) => total + Object.values(bytes).reduce((a, b) => a + b, 0),
      0,
    );
    expect(sum).toBeLessThan(segment.sizeBytes);
    expect(sum).toBeGreaterThan(segment.sizeBytes * 0.85);
    const of = (name: string) => fields.find((field) => field.name === name);
    expect(of('body')?.invertedIndex).toBeGreaterThan(500);
    expect(of('body')?.norms).toBe(500);
    expect(of('tag')).toMatchObject({ invertedIndex: 0, norms: 0 });
    expect(of('tag')?.docValues).toBeGreaterThan(0);
    expect(of('_source')?.storedFields).toBeGreaterThanOrEqual(segment.stored.bytes.length);
  });
});
