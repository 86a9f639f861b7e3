import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FlatSegment } from '../../format/flat-segment.ts';
import type { QueryContext } from '../../phases/context/query-context.ts';
import { idsOf, memoryContext, runQuery, type TestDoc } from '../../phases/query/memory-searcher.test-support.ts';
import {
  DATES,
  KEYS,
  meantQueryArb,
  type NaiveDoc,
  NUMBERS,
  WORDS,
} from '../../phases/query/naive-queries.test-support.ts';
import { mergeInMemory } from '../../write/merge/merge-in-memory.test-support.ts';

const MAPPING = {
  properties: {
    t: { type: 'text', analyzer: 'whitespace' },
    u: { type: 'text', analyzer: 'whitespace' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    at: { type: 'date' },
  },
};
/** 20,000 queries in all. */
const INDICES = 250;
const QUERIES_PER_INDEX = 80;

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 9 }).map((words) => words.join(' '));
const docArb = fc.record(
  {
    t: text,
    u: text,
    k: fc.uniqueArray(fc.constantFrom(...KEYS), { maxLength: 3 }),
    n: fc.uniqueArray(fc.constantFrom(...NUMBERS), { maxLength: 3 }),
    at: fc.constantFrom(...DATES),
  },
  { requiredKeys: [] },
);

/** All segments as one, without the deleted documents. */
function merged(context: QueryContext): QueryContext {
  const inputs = context.searcher.views.flatMap(({ segment, liveDocs }) =>
    segment instanceof FlatSegment ? [{ segment, live: liveDocs }] : [],
  );
  const segment = mergeInMemory('_merged', inputs)?.segment;
  if (segment === undefined) return context;
  const liveCount = segment.docCount;
  const views = [{ segment, liveDocs: null, liveCount, docBase: 0 }];
  return { ...context, searcher: { generation: 2, views, maxDoc: liveCount, liveCount } };
}

test('20,000 queries of every kind match what they mean, over segments, deletes and merges', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(docArb, { minLength: 1, maxLength: 13 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 2, max: 9 }),
      fc.boolean(),
      fc.array(meantQueryArb, { minLength: QUERIES_PER_INDEX, maxLength: QUERIES_PER_INDEX }),
      async (given, segmentSize, deleteEvery, isMerged, queries) => {
        const docs = given.map((doc, i): NaiveDoc => ({ ...doc, id: String(i) }));
        const all = docs.map(({ id, ...doc }): TestDoc => ({ id, source: JSON.stringify(doc) }));
        const segments = [];
        for (let i = 0; i < all.length; i += segmentSize) segments.push(all.slice(i, i + segmentSize));
        const isDeleted = (id: string): boolean => Number(id) % deleteEvery === 1;
        const plain = memoryContext(MAPPING, segments, isDeleted);
        const context = isMerged ? merged(plain) : plain;
        for (const [i, { json, matches }] of queries.entries()) {
          const expected = docs.filter((doc) => !isDeleted(doc.id) && matches(doc)).map(({ id }) => id);
          // Half of them ranked, half only counted: the two go different ways.
          if (i % 2 === 0) {
            const { ords } = await runQuery(context, { query: json }, { topN: 20 });
            const found = idsOf(context, ords).sort((a, b) => Number(a) - Number(b));
            expect(found, `${JSON.stringify(json)} in ${JSON.stringify(docs)}`).toEqual(expected);
          } else {
            const { total } = await runQuery(context, { query: json, size: 0 }, { topN: 0 });
            expect(total?.value, `${JSON.stringify(json)} in ${JSON.stringify(docs)}`).toBe(expected.length);
          }
        }
      },
    ),
    { numRuns: INDICES, endOnFailure: true },
  );
}, 600_000);
