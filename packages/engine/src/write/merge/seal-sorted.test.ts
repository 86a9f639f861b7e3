import type { Analyzer } from '@shoal/analysis';
import { parseMapping } from '@shoal/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DocumentParser } from '../../document/document-parser.ts';
import type { FlatSegment } from '../../format/flat-segment.ts';
import { dumpSegment } from '../../format/segment-dump.test-support.ts';
import { PLAIN_MEMORY } from '../../memory/segment-memory.ts';
import { SegmentBuffer } from '../buffer/segment-buffer.ts';
import type { DocSortKey } from '../sort/sort-column.ts';
import { mergeInMemory } from './merge-in-memory.test-support.ts';
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
    properties: { body: { type: 'text' }, tag: { type: 'keyword' }, n: { type: 'long' }, b: { type: 'boolean' } },
  }),
);

interface Doc {
  readonly id: number;
  readonly body: string;
  readonly tag?: readonly string[];
  readonly n?: readonly (number | bigint)[];
  readonly b?: boolean;
}

const word = fc.constantFrom('a', 'ab', 'b', 'é', '😀');
const source = fc.record(
  {
    body: fc.array(word, { maxLength: 6 }).map((list) => list.join(' ')),
    tag: fc.array(word, { maxLength: 3 }),
    n: fc.array(fc.oneof(fc.integer({ min: -2, max: 2 }), fc.bigInt(2n ** 62n, 2n ** 62n + 2n)), { maxLength: 3 }),
    b: fc.boolean(),
  },
  { requiredKeys: ['body'] },
);
const key = (path: string): fc.Arbitrary<DocSortKey> =>
  fc.record({
    path: fc.constant(path),
    isDescending: fc.boolean(),
    mode: fc.constantFrom('min' as const, 'max' as const),
    isMissingFirst: fc.boolean(),
  });
const sort = fc.tuple(key('n'), key('tag'), key('b')).chain((keys) => fc.shuffledSubarray(keys, { minLength: 1 }));

function bufferOf(docs: readonly Doc[]): SegmentBuffer {
  const buffer = new SegmentBuffer(() => words);
  for (const doc of docs) {
    const text = JSON.stringify(doc, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
    const exact = text.replace(/"n":\[[^\]]*\]/, () => `"n":[${(doc.n ?? []).join(',')}]`);
    const bytes = Buffer.from(exact);
    const meta = { version: 1, seqNo: doc.id, primaryTerm: 1 };
    const routing = doc.id % 3 === 0 ? `r${doc.id % 5}` : null;
    const { document } = parser.parse(String(doc.id), bytes);
    buffer.add(`${doc.id}`, routing, bytes, meta, document);
  }
  return buffer;
}

function sortValue(doc: Doc, { path, mode }: DocSortKey): bigint | string | null {
  const given = path === 'n' ? doc.n : path === 'tag' ? doc.tag : doc.b === undefined ? [] : [doc.b ? 1 : 0];
  const values = (given ?? []).map((value) =>
    typeof value === 'string' ? Buffer.from(value).toString('hex') : BigInt(value),
  );
  values.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return values.at(mode === 'min' ? 0 : -1) ?? null;
}

/** Documents in the order of the keys, which is stable. */
function inOrder(docs: readonly Doc[], keys: readonly DocSortKey[]): readonly Doc[] {
  return [...docs].sort((a, b) => {
    for (const one of keys) {
      const [x, y] = [sortValue(a, one), sortValue(b, one)];
      if (x === y) continue;
      if (x === null || y === null) return (x === null) === one.isMissingFirst ? -1 : 1;
      return (x < y ? -1 : 1) * (one.isDescending ? -1 : 1);
    }
    return 0;
  });
}

function sealed(docs: readonly Doc[], keys: readonly DocSortKey[]): FlatSegment {
  const steps = sealSorted(bufferOf(docs), '_s', { memory: PLAIN_MEMORY, sort: keys }, 'lz4');
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value.segment;
  }
}

const numbered = (groups: readonly (readonly Omit<Doc, 'id'>[])[]): readonly (readonly Doc[])[] => {
  let id = 0;
  return groups.map((docs) => docs.map((doc) => ({ ...doc, id: id++ })));
};

const few = fc.array(source, { minLength: 1, maxLength: 12 });

describe('a segment of an index with an index sort', () => {
  test('is the one that its documents give when they come in order', () => {
    fc.assert(
      fc.property(few, sort, (docs, keys) => {
        const [own = []] = numbered([docs]);
        const expected = bufferOf(inOrder(own, keys)).seal('_s');
        expect(dumpSegment(sealed(own, keys))).toEqual(dumpSegment(expected));
      }),
    );
  });

  test('merged from several with deleted documents is in order again', () => {
    const some = fc.array(few, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(some, sort, fc.infiniteStream(fc.boolean()), (groups, keys, lives) => {
        const dead = new Set<number>();
        const kept: Doc[] = [];
        const inputs = numbered(groups).map((docs) => {
          const ordered = inOrder(docs, keys);
          const live = new Uint8Array((docs.length + 7) >>> 3);
          for (const [at, doc] of ordered.entries()) {
            if (lives.next().value === false) dead.add(doc.id);
            else live[at >>> 3] = (live[at >>> 3] as number) | (1 << (at & 7));
          }
          kept.push(...ordered.filter(({ id }) => !dead.has(id)));
          return { segment: sealed(docs, keys), live };
        });
        const merged = mergeInMemory('_m', inputs, PLAIN_MEMORY, keys);
        if (kept.length === 0) {
          expect(merged).toBeNull();
          return;
        }
        const expected = inOrder(kept, keys);
        expect(merged === null ? null : dumpSegment(merged.segment)).toEqual(
          dumpSegment(bufferOf(expected).seal('_m')),
        );
        const ids = expected.map(({ id }) => String(id));
        for (const [i, { segment }] of inputs.entries()) {
          const numbers = merged?.docMaps[i]?.numbers ?? null;
          for (let doc = 0; numbers !== null && doc < segment.docCount; doc++) {
            const to = numbers[doc] as number;
            expect(to < 0 ? dead.has(Number(segment.id(doc))) : ids[to] === segment.id(doc)).toBe(true);
          }
        }
      }),
    );
  });
});
