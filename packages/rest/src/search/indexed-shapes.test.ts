import { beforeAll, describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

let node: TestNode;

beforeAll(async () => {
  const mapping = {
    properties: { area: { type: 'geo_shape' }, land: { properties: { shape: { type: 'geo_shape' } } } },
  };
  node = testNode({ indices: [{ ...indexOf('lib'), mapping }] });
  const body = lines(
    { index: { _id: 'square' } },
    { area: 'BBOX (0, 10, 10, 0)' },
    { index: { _id: 'point' } },
    { area: { type: 'Point', coordinates: [50, 50] } },
    { index: { _id: 'named' } },
    { land: { shape: 'POINT (5 5)' } },
  );
  await node.ask('POST', '/lib/_bulk?refresh=true', body);
});

const near = (indexed: object, more: object = {}) => ({
  query: { geo_shape: { area: { indexed_shape: indexed, ...more } } },
});

describe('the shape of a document', () => {
  const named = near({ index: 'lib', id: 'named', path: 'land.shape', routing: 'named' });

  test('is looked up for searches, counts and lists of searches', async () => {
    const found = await node.ask('POST', '/lib/_search', named);
    expect(found.json).toMatchObject({ hits: { hits: [{ _id: 'square', _score: 0 }] } });
    expect((await node.ask('POST', '/lib/_count', named)).json).toMatchObject({ count: 1 });
    const listed = await node.ask('POST', '/_msearch', lines({ index: 'lib' }, named));
    expect(listed.json).toMatchObject({ responses: [{ hits: { hits: [{ _id: 'square' }] } }] });
  });

  test('stands in the relation that the query names', async () => {
    const apart = near({ index: 'lib', id: 'named', path: 'land.shape' }, { relation: 'disjoint' });
    expect((await node.ask('POST', '/lib/_search', apart)).json).toMatchObject({ hits: { hits: [{ _id: 'point' }] } });
  });

  test.each<[object, number, string]>([
    [{ index: 'lib', id: '9' }, 400, 'Shape with ID [9] in type [_doc] not found'],
    [{ index: 'lib', id: 'square' }, 500, 'Shape with name [square] found but missing shape field'],
    [{ id: 'square' }, 404, 'no such index [shapes]'],
    [{ index: 'lib' }, 400, 'either shape or indexedShapeId is required'],
    [{ index: 'lib', id: '9', path: {} }, 400, 'unknown token [START_OBJECT] after [path]'],
  ])('%j is refused', async (indexed, status, reason) => {
    const answer = await node.ask('POST', '/lib/_search', near(indexed));
    expect([answer.status, JSON.stringify(answer.json)]).toEqual([status, expect.stringContaining(reason)]);
  });
});
