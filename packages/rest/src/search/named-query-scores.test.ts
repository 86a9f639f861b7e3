/** `include_named_queries_score`: the named queries that a hit matches, with the score of each. */
import { expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, testNode } from '../http.test-support.ts';

const query = {
  bool: {
    should: [
      { constant_score: { filter: { term: { k: 'a' } }, boost: 3, _name: 'three' } },
      { match: { t: { query: 'fox', _name: 'fox', boost: 2 } } },
    ],
    filter: [{ term: { k: { value: 'a', _name: 'filter' } } }],
  },
};

async function hitsOf(path: string, body: object) {
  const mapping = { properties: { k: { type: 'keyword' }, t: { type: 'text' } } };
  const node = testNode({ indices: [indexOf('lib', { mapping })] });
  await node.ask(
    'POST',
    '/lib/_bulk',
    lines({ index: { _id: '1' } }, { k: 'a', t: 'red fox' }, { index: { _id: '2' } }, { k: 'a', t: 'dog' }),
  );
  const { status, json } = await node.ask('POST', path, body);
  expect(status).toBe(200);
  return json.hits.hits as readonly { readonly _score: number; readonly matched_queries: unknown }[];
}

const scored = (score: number) => expect.closeTo(score, 5);

test.each([
  ['a parameter', '/lib/_search?include_named_queries_score=true', { query }],
  ['a member of the body', '/lib/_search', { query, include_named_queries_score: true }],
  ['a parameter, of a sorted search', '/lib/_search?include_named_queries_score', { query, sort: ['_doc'] }],
])('as %s tells scores by name', async (_, path, body) => {
  const [first, second] = await hitsOf(path, body);
  const fox = (2 * 2.2 * Math.log(1 + 1.5 / 1.5)) / (1 + 1.2 * (0.25 + (0.75 * 2) / 1.5));
  expect(first?.matched_queries).toEqual({ three: 3, fox: scored(fox), filter: expect.any(Number) });
  expect(second?.matched_queries).toEqual({ three: 3, filter: expect.any(Number) });
});

test('left out, or false, tells the names alone', async () => {
  const [first] = await hitsOf('/lib/_search?include_named_queries_score=false', { query });
  expect(first?.matched_queries).toEqual(['filter', 'three', 'fox']);
});
