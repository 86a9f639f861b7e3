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

test('a range that another one begins in does not count as one that contains it not', async () => {
  const places = memoryContext({ properties: { t: { type: 'text' } } }, [
    [
      { id: 'before', source: '{"t":"x y a b"}' },
      { id: 'from before', source: '{"t":"x a y b"}' },
      { id: 'within', source: '{"t":"a x y b"}' },
      { id: 'beyond', source: '{"t":"a x b y"}' },
      { id: 'around', source: '{"t":"x a b y"}' },
      { id: 'behind', source: '{"t":"a b x y"}' },
    ],
  ]);
  const pair = (query: string, more: object = {}) => ({ match: { query, ordered: true, ...more } });
  const rule = pair('a b', { filter: { not_containing: pair('x y') } });
  const found = await runQuery(places, { query: { intervals: { t: rule } } }, { topN: 10 });
  expect(idsOf(places, found.ords).toSorted()).toEqual(['before', 'behind', 'from before']);
});
