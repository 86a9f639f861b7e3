/**
 * What stands before what: Lucene takes the position before a range, and of a range at the first position that one.
 */
import { expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const context = memoryContext({ properties: { t: { type: 'text' } } }, [
  [
    { id: 'first', source: '{"t":"quick"}' },
    { id: 'later', source: '{"t":"a quick"}' },
    { id: 'twice', source: '{"t":"a quick quick"}' },
  ],
]);

test('a range at the first position is before itself', async () => {
  const quick = { match: { query: 'quick' } };
  const rule = { match: { query: 'quick', filter: { before: quick } } };
  const found = await runQuery(context, { query: { intervals: { t: rule } } }, { topN: 10 });
  expect(idsOf(context, found.ords).toSorted()).toEqual(['first', 'twice']);
});
