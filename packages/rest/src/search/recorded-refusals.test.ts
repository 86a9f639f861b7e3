/**
 * Errors of a real server for wrong requests that random ones were found to differ in.
 */
import { expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { testNode } from '../http.test-support.ts';

const mapping = {
  properties: {
    n: { type: 'long' },
    k: { type: 'keyword' },
    place: { type: 'geo_point' },
    x: { type: 'text', term_vector: 'with_positions_offsets' },
    items: { type: 'nested', properties: { n: { type: 'long' } } },
  },
};

async function lib() {
  const { ask } = testNode({ indices: [indexOf('lib', { mapping })] });
  await ask('PUT', '/lib/_doc/1', { n: 1, k: 'a', x: 'one fox', place: '1,1' });
  return async (body: object) => (await ask('POST', '/lib/_search', body)).json;
}

test.each([
  [{ nested: { path: 'items', query: 'text' } }, '[nested] query does not support [query]'],
  [{ nested: { path: 'items', query: ['text'] } }, '[nested] query does not support [query]'],
  [{ nested: { path: 'items', query: null } }, "[nested] requires 'query' field"],
  [{ fuzzy: { k: { value: [] } } }, '[fuzzy] unexpected token [START_ARRAY] after [value]'],
  [{ fuzzy: { k: { value: 'a', fuzziness: {} } } }, '[fuzzy] unexpected token [START_OBJECT] after [fuzziness]'],
])('a query that cannot be read: %j', async (query, reason) => {
  const { error } = await (await lib())({ query });
  expect(error.root_cause[0].reason).toBe(reason);
  expect(error.type).toBe(error.root_cause[0].type);
});

test.each([
  [
    { sort: [{ _geo_distance: { place: '1,1', orderx: 'asc' } }] },
    'Trying to reset fieldName to [orderx], already set to [place].',
  ],
  [
    { highlight: { fields: { x: { highlight_query: 7 } } } },
    "[1:48] [highlight_field] highlight_query doesn't support values of type: VALUE_NUMBER",
  ],
])('another member that cannot be read: %j', async (body, reason) => {
  const { error } = await (await lib())(body);
  expect(error.root_cause[0].reason).toBe(reason);
});

const FAILED = { type: 'search_phase_execution_exception', reason: 'all shards failed' };

test.each([
  [{ search_after: [1] }, 'Sort must contain at least one field.'],
  [{ search_after: [1], sort: ['_score'] }, 'Sort must contain at least one field.'],
  [{ search_after: [1, 2], sort: ['k'] }, 'search_after has 2 value(s) but sort has 1.'],
])('a cursor that is none of the sort fails on each shard: %j', async (body, reason) => {
  const { error } = await (await lib())(body);
  expect(error).toMatchObject({ ...FAILED, root_cause: [{ type: 'illegal_argument_exception', reason }] });
});

test.each([[{ terms: { _id: ['1', ''] } }], [{ term: { _id: '' } }]])('an id is not empty: %j', async (query) => {
  const { error } = await (await lib())({ query });
  const cause = { type: 'query_shard_exception', reason: "failed to create query: Ids can't be empty" };
  expect(error).toMatchObject({ ...FAILED, root_cause: [cause] });
});

test('the first of groups show no scores as values of a sort by them, in either order', async () => {
  const search = await lib();
  const sortOf = async (body: object) => (await search({ ...body, _source: false })).hits.hits[0].sort;
  const sort = [{ _score: { order: 'asc' } }];
  expect(await sortOf({ sort })).toEqual([1]);
  expect(await sortOf({ sort, collapse: { field: 'k' } })).toBeUndefined();
});

test('a highlighter by vectors marks nothing of intervals', async () => {
  const search = await lib();
  const query = { intervals: { x: { match: { query: 'fox' } } } };
  const shown = async (type: string) =>
    (await search({ query, highlight: { fields: { x: { type } } } })).hits.hits[0].highlight;
  expect(await shown('fvh')).toBeUndefined();
  expect(await shown('unified')).toEqual({ x: ['one <em>fox</em>'] });
});
