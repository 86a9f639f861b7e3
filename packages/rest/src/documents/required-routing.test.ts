import { beforeEach, expect, test } from 'vitest';
import { aliasOf, indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

let node: TestNode;

beforeEach(() => {
  const mapping = { _routing: { required: true } };
  const aliases = [aliasOf('fox', { indexRouting: 'x', searchRouting: 'y' })];
  node = testNode({ indices: [indexOf('routed', { shards: 3, mapping, aliases }), indexOf('lib')] });
});

const missing = {
  type: 'routing_missing_exception',
  reason: 'routing is required for [routed]/[1]',
  index: 'routed',
  index_uuid: '_na_',
};

test.each([
  ['PUT', '/routed/_doc/1', {}],
  ['PUT', '/routed/_doc/1?routing=', {}],
  ['PUT', '/routed/_create/1', {}],
  ['POST', '/routed/_update/1', { doc: {} }],
  ['DELETE', '/routed/_doc/1', undefined],
  ['GET', '/routed/_doc/1', undefined],
  ['GET', '/routed/_source/1', undefined],
  ['POST', '/routed/_explain/1', { query: { match_all: {} } }],
])('%s %s without a routing is refused where documents are reached by one only', async (method, target, body) => {
  const { status, json } = await node.ask(method, target, body);
  expect([status, json.error]).toEqual([400, { root_cause: [missing], ...missing }]);
});

test('a head request without a routing says no more than its status', async () => {
  expect((await node.ask('HEAD', '/routed/_doc/1')).status).toBe(400);
});

test('an item of a bulk fails alone, whichever its action', async () => {
  const body = lines(
    { index: { _index: 'routed', _id: '1' } },
    {},
    { update: { _index: 'routed', _id: '1' } },
    { doc: {} },
    { delete: { _index: 'routed', _id: '1' } },
    { index: { _index: 'routed', _id: '1', routing: 'r' } },
    {},
    { index: { _index: 'routed' } },
    {},
    { index: { _index: 'lib', _id: '1' } },
    {},
  );
  const { json } = await node.ask('POST', '/_bulk', body);
  const items = json.items.map((item: object) => Object.values(item)[0]);
  expect(items.map((item: { status: number }) => item.status)).toEqual([400, 400, 400, 201, 400, 201]);
  for (const at of [0, 1, 2]) expect(items[at].error).toEqual(missing);
  expect(items[4].error.type).toBe('routing_missing_exception');
});

test('an entry of a multi get fails alone', async () => {
  await node.ask('PUT', '/routed/_doc/1?routing=r', { n: 1 });
  const docs = [
    { _index: 'routed', _id: '1' },
    { _index: 'routed', _id: '1', routing: 'r' },
  ];
  const { json } = await node.ask('POST', '/_mget', { docs });
  expect(json.docs[0].error).toEqual({ root_cause: [missing], ...missing });
  expect(json.docs[1]).toMatchObject({ found: true, _routing: 'r', _source: { n: 1 } });
});

test('the routing of an alias is one, for an explanation too', async () => {
  expect((await node.ask('PUT', '/fox/_doc/1', { n: 1 })).status).toBe(201);
  expect((await node.ask('GET', '/fox/_doc/1')).json).toMatchObject({ found: true, _routing: 'x' });
  const { json } = await node.ask('POST', '/fox/_explain/1', { query: { match_all: {} } });
  expect(json).toMatchObject({ _id: '1', matched: true });
});
