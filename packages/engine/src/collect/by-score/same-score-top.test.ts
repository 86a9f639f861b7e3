import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryContext, runQuery, type TestDoc } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = { properties: { n: { type: 'long' } } };
/** Both match all documents: one is known to, the other finds them. */
const ALL = { match_all: {} };
const FOUND = { constant_score: { filter: { range: { n: { gte: 0 } } }, boost: 1 } };

test('a page of all documents is that of a query that finds them, behind any document and whatever is deleted', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 4 });
  const pages = fc.record({
    topN: fc.integer({ min: 1, max: 200 }),
    after: fc.option(fc.nat(200)),
    deleted: fc.constantFrom(0, 0, 3),
    track: fc.constantFrom(true, false, 5, 100),
  });
  await fc.assert(
    fc.asyncProperty(sizes, pages, async (counts, { topN, after, deleted, track }) => {
      let n = 0;
      const segments = counts.map((count) =>
        Array.from({ length: count }, (): TestDoc => ({ id: String(n), source: JSON.stringify({ n: n++ }) })),
      );
      const isDeleted = (id: string): boolean => deleted > 0 && Number(id) % deleted === 1;
      const made = memoryContext(MAPPING, segments, isDeleted);
      const context = { ...made, after: after === null ? null : { values: [1], ord: after } };
      const [all, found] = await Promise.all(
        [ALL, FOUND].map((query) => runQuery(context, { query, track_total_hits: track }, { topN })),
      );
      expect(all).toEqual(found);
      const live = Array.from({ length: n }, (_, doc) => doc).filter((doc) => !isDeleted(String(doc)));
      expect([...(all?.ords ?? [])]).toEqual(live.filter((doc) => doc > (after ?? -1)).slice(0, topN));
    }),
    { seed: 3, numRuns: 150 },
  );
});
