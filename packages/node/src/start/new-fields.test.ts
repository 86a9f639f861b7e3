/** Every way in which a write brings a field that the mapping does not have yet. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const lines = (...items: readonly unknown[]): string => items.map((item) => `${JSON.stringify(item)}\n`).join('');
const SCRIPT = { source: "ctx._source.added = 'x'" };

describe('a new field', () => {
  const cluster = new TestCluster();
  let node: TestNode;

  beforeAll(async () => {
    node = await cluster.start('a');
    await call(node, 'PUT', '/_ingest/pipeline/add', { processors: [{ set: { field: 'added', value: 'x' } }] });
  }, 60_000);
  afterAll(() => cluster.close());

  test.each([
    ['a document', 'PUT', '/_doc/1', { added: 'x' }],
    ['a part of a document', 'POST', '/_update/1', { doc: { added: 'x' } }],
    ['a document for what is not there', 'POST', '/_update/2', { doc: {}, upsert: { added: 'x' } }],
    ['a script', 'POST', '/_update/1', { script: SCRIPT }],
    ['a script that makes the document', 'POST', '/_update/2', { script: SCRIPT, scripted_upsert: true, upsert: {} }],
    ['a line of a bulk', 'POST', '/_bulk', lines({ index: { _id: '1' } }, { added: 'x' })],
    ['an update of a bulk', 'POST', '/_bulk', lines({ update: { _id: '1' } }, { doc: { added: 'x' } })],
    ['a script of a bulk', 'POST', '/_bulk', lines({ update: { _id: '1' } }, { script: SCRIPT })],
    ['a script over all documents', 'POST', '/_update_by_query?refresh', { script: SCRIPT }],
    ['a pipeline', 'PUT', '/_doc/1?pipeline=add', {}],
    ['a pipeline over all documents', 'POST', '/_update_by_query?pipeline=add', {}],
  ])('comes with %s', async (name, method, path, body) => {
    const index = `by-${name.replaceAll(' ', '-')}`;
    await call(node, 'PUT', `/${index}/_doc/1?refresh`, { n: 1 });
    const answer = await call(node, method, `/${index}${path}`, body);
    expect(answer.status).toBeLessThan(300);
    const { properties } = (await call(node, 'GET', `/${index}/_mapping`)).body[index].mappings;
    expect(Object.keys(properties).sort()).toEqual(['added', 'n']);
    await call(node, 'POST', `/${index}/_refresh`);
    expect((await call(node, 'GET', `/${index}/_count?q=added:x`)).body.count).toBe(1);
  });

  test('comes with a script of a reindex', async () => {
    await call(node, 'PUT', '/from/_doc/1?refresh', { n: 1 });
    const body = { source: { index: 'from' }, dest: { index: 'to' }, script: SCRIPT };
    expect((await call(node, 'POST', '/_reindex?refresh', body)).body).toMatchObject({ created: 1, failures: [] });
    expect((await call(node, 'GET', '/to/_count?q=added:x')).body.count).toBe(1);
  });
});

describe('new fields beyond the limit of their index', () => {
  const cluster = new TestCluster();
  let node: TestNode;
  const LEAVES_OUT = { 'mapping.total_fields': { limit: 6, ignore_dynamic_beyond_limit: true } };

  beforeAll(async () => {
    node = await cluster.start('a');
  }, 60_000);
  afterAll(() => cluster.close());

  test('are left out and named, where the index says so', async () => {
    await call(node, 'PUT', '/some', { settings: LEAVES_OUT, mappings: { properties: { n: { type: 'long' } } } });
    const document = { n: 1, a: 'x', b: 'y', c: 'z', d: 1 };
    expect((await call(node, 'PUT', '/some/_doc/1?refresh', document)).status).toBe(201);
    const { properties } = (await call(node, 'GET', '/some/_mapping')).body.some.mappings;
    expect(Object.keys(properties).sort()).toEqual(['a', 'b', 'd', 'n']);
    const { hits } = (await call(node, 'GET', '/some/_search')).body.hits;
    expect(hits[0]).toMatchObject({ _source: document, _ignored: ['c'] });
    expect((await call(node, 'GET', '/some/_search?q=_ignored:c')).body.hits.total.value).toBe(1);
    // A mapping of the user's own is refused still.
    const more = { properties: { e: { type: 'long' } } };
    expect((await call(node, 'PUT', '/some/_mapping', more)).body.error.reason).toBe(
      'Limit of total fields [6] has been exceeded',
    );
    // With room for it the field is added by the next document.
    await call(node, 'PUT', '/some/_settings', { 'index.mapping.total_fields.limit': 8 });
    expect((await call(node, 'PUT', '/some/_doc/2?refresh', document)).status).toBe(201);
    expect((await call(node, 'GET', '/some/_search?q=c:z')).body.hits.hits[0]).not.toHaveProperty('_ignored');
  });

  test('refuse no document of shards that add different ones at the same time', async () => {
    const settings = { ...LEAVES_OUT, number_of_shards: 4 };
    await call(node, 'PUT', '/many', { settings });
    const items = Array.from({ length: 64 }, (_, n) => [{ index: {} }, { [`f${n}`]: n, [`g${n % 7}`]: n }]);
    const bodies = [lines(...items.flat()), lines(...items.toReversed().flat())];
    const answers = await Promise.all(bodies.map((body) => call(node, 'POST', '/many/_bulk?refresh', body)));
    for (const { body } of answers) expect(body.errors).toBe(false);
    const { properties } = (await call(node, 'GET', '/many/_mapping')).body.many.mappings;
    expect(Object.keys(properties)).toHaveLength(6);
  });
});
