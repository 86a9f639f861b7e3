/** Requests of clients of version 7, which name the type of documents. */
import { describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, testNode } from '../http.test-support.ts';

const node = testNode({ indices: [indexOf('lib', { shards: 1 })] });

describe('a request with the only type', () => {
  test('writes and reads as one without it', async () => {
    const bulk = lines(
      { index: { _index: 'lib', _type: '_doc', _id: '1' } },
      { n: 1 },
      { index: { _id: '2' } },
      { n: 2 },
    );
    const { json } = await node.ask('POST', '/lib/_doc/_bulk?refresh=true', bulk);
    expect(json.items).toMatchObject([{ index: { _id: '1', status: 201 } }, { index: { _id: '2', status: 201 } }]);
    expect((await node.ask('POST', '/lib/_doc/2/_update?refresh=true', { doc: { n: 5 } })).json.result).toBe('updated');
    expect((await node.ask('POST', '/lib/_doc/_search', { query: { term: { n: 5 } } })).json.hits.hits).toMatchObject([
      { _id: '2' },
    ]);
    expect((await node.ask('POST', '/lib/_doc/_count', {})).json.count).toBe(2);
    expect((await node.ask('GET', '/lib/_doc/1/_source')).json).toEqual({ n: 1 });
    expect((await node.ask('POST', '/lib/_doc/1/_explain', { query: { match_all: {} } })).json.matched).toBe(true);
    const docs = [{ _type: '_doc', _id: '1' }];
    expect((await node.ask('POST', '/lib/_doc/_mget', { docs })).json.docs).toMatchObject([{ found: true }]);
    const { json: many } = await node.ask('POST', '/lib/_doc/_msearch', lines({}, { size: 0 }));
    expect(many.responses).toMatchObject([{ status: 200, hits: { total: { value: 2 } } }]);
  });

  test('answers on every path that version 7 has with a type', async () => {
    const typed = testNode({ indices: [indexOf('typed', { shards: 1 })] });
    expect((await typed.ask('PUT', '/typed/_doc/1/_create?refresh=true', { t: 'one' })).json.result).toBe('created');
    expect((await typed.ask('PUT', '/typed/_doc/1/_create', { t: 'one' })).status).toBe(409);
    const valid = await typed.ask('POST', '/typed/_doc/_validate/query', { query: { match_all: {} } });
    expect(valid.json.valid).toBe(true);
    const vectors = await typed.ask('GET', '/typed/_doc/1/_termvectors?fields=t');
    expect(Object.keys(vectors.json.term_vectors.t.terms)).toEqual(['one']);
    const artificial = await typed.ask('POST', '/typed/_doc/_termvectors', { doc: { t: 'two' }, fields: ['t'] });
    expect(Object.keys(artificial.json.term_vectors.t.terms)).toEqual(['two']);
    const many = await typed.ask('POST', '/typed/_doc/_mtermvectors', { ids: ['1'], parameters: { fields: ['t'] } });
    expect(many.json.docs).toMatchObject([{ _id: '1', found: true }]);
    const script = { source: "ctx._source.t = 'three'" };
    const updated = await typed.ask('POST', '/typed/_doc/_update_by_query?refresh=true', { script });
    expect(updated.json.updated).toBe(1);
    const query = { match: { t: 'three' } };
    expect((await typed.ask('POST', '/typed/_doc/_delete_by_query', { query })).json.deleted).toBe(1);
  });

  test.each([
    ['/_bulk', lines({ index: { _index: 'lib', _type: 'book', _id: '1' } }, {}), 'unknown parameter [_type]'],
    ['/lib/_mget', { docs: [{ _type: 'book', _id: '1' }] }, 'unknown field [_type]'],
  ])('%s refuses another type', async (path, body, reason) => {
    const { status, json } = await node.ask('POST', path, body);
    expect([status, json.error.reason]).toEqual([400, expect.stringContaining(reason)]);
  });
});
