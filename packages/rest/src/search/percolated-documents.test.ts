import { beforeAll, describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

let node: TestNode;

beforeAll(async () => {
  const mapping = { properties: { q: { type: 'percolator' }, t: { type: 'text' } } };
  node = testNode({ indices: [{ ...indexOf('lib'), mapping }] });
  const body = lines(
    { index: { _id: 'fox' } },
    { q: { match: { t: 'fox' } } },
    { index: { _id: 'dog' } },
    { q: { match: { t: 'dog' } } },
    { index: { _id: '1' } },
    { t: 'a quick fox' },
  );
  await node.ask('POST', '/lib/_bulk?refresh=true', body);
});

const percolate = (more: object) => ({ query: { percolate: { field: 'q', ...more } } });

describe('a document that is percolated by its id', () => {
  test('is looked up for searches and counts', async () => {
    const named = percolate({ index: 'lib', id: '1', routing: '1', preference: '_local' });
    const found = await node.ask('POST', '/lib/_search', named);
    expect(found.json).toMatchObject({ hits: { hits: [{ _id: 'fox', fields: { _percolator_document_slot: [0] } }] } });
    expect((await node.ask('POST', '/lib/_count', named)).json).toMatchObject({ count: 1 });
  });

  test('shows its place for the query alone, not for a filter of the hits', async () => {
    const { query } = percolate({ index: 'lib', id: '1' });
    const { json } = await node.ask('POST', '/lib/_search', {
      query: { ids: { values: ['fox'] } },
      post_filter: query,
    });
    expect(json.hits.hits).toEqual([expect.not.objectContaining({ fields: expect.anything() })]);
  });

  test('must be there', async () => {
    const answer = await node.ask('POST', '/lib/_search', percolate({ index: 'lib', id: '9' }));
    expect([answer.status, answer.json.error]).toMatchObject([
      404,
      { type: 'resource_not_found_exception', reason: "indexed document [lib/9] couldn't be found" },
    ]);
  });

  test.each([
    [{ index: 'lib', id: '1', version: 1 }, '[version] of [percolate] is not supported'],
    [{ index: 'lib', id: '1', document: {} }, '[percolate] names both a document and that of an [id]'],
    [{ id: '1' }, '[percolate] with an [id] needs an [index]'],
  ])('%j is refused', async (more, reason) => {
    const answer = await node.ask('POST', '/lib/_search', percolate(more));
    expect([answer.status, JSON.stringify(answer.json)]).toEqual([400, expect.stringContaining(reason)]);
  });
});
