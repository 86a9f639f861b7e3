/**
 * Words that analysis leaves out at the end of a value keep their places: the next value of the field stands so much farther on.
 */
import { expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    english: { type: 'text', analyzer: 'english' },
    count: { type: 'token_count', analyzer: 'english' },
  },
};
const context = memoryContext(MAPPING, [
  [
    { id: 'plain', source: '{"english":["jump over","fox"],"count":"jump over"}' },
    { id: 'two', source: '{"english":["jump over it the","fox"],"count":"jump over it the"}' },
    { id: 'nothing', source: '{"english":["jump over","the","fox"],"count":"the"}' },
  ],
]);

async function matching(query: object): Promise<readonly string[]> {
  const found = await runQuery(context, { query }, { topN: 10 });
  return idsOf(context, found.ords).toSorted();
}

async function idsWithin(slop: number): Promise<readonly string[]> {
  const query = { match_phrase: { english: { query: 'over fox', slop } } };
  return matching(query);
}

test('values are apart by the gap and by what was left out before it', async () => {
  expect(await idsWithin(99)).toEqual([]);
  expect(await idsWithin(100)).toEqual(['plain']);
  expect(await idsWithin(102)).toEqual(['plain', 'two']);
  expect(await idsWithin(201)).toEqual(['nothing', 'plain', 'two']);
});

test.each([
  ['plain', 2],
  ['two', 4],
  ['nothing', 1],
])('positions of %s are %i', async (id, count) => {
  const query = { bool: { filter: [{ ids: { values: [id] } }, { term: { count } }] } };
  expect(await matching(query)).toEqual([id]);
});
