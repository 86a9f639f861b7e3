import { describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, testNode } from '../http.test-support.ts';
import { showsTypes } from './document-types.ts';

const VERSION_7 = 'application/vnd.elasticsearch+json; compatible-with=7';
const VERSION_8 = 'application/vnd.elasticsearch+json; compatible-with=8';
const JAVA_7 = 'elasticsearch-java/7.17.28 (Java/17.0.15)';

describe('documents have a type for a client that', () => {
  test.each([
    [{ accept: VERSION_7 }, true],
    [{ accept: VERSION_8 }, false],
    [{ accept: 'application/json' }, false],
    [{}, false],
    [{ 'user-agent': JAVA_7 }, true],
    [{ 'user-agent': JAVA_7, accept: 'application/json' }, true],
    [{ 'user-agent': JAVA_7, accept: VERSION_8 }, false],
    [{ 'user-agent': 'elasticsearch-java/8.15.0 (Java/17.0.15)' }, false],
    [{ 'user-agent': 'elasticsearch-py/7.17.12 (Python 3.11.7)' }, false],
  ])('sends %j: %s', (headers, expected) => expect(showsTypes({ headers })).toBe(expected));
});

describe('an answer of version 7 names the type of its documents', () => {
  const node = testNode({ indices: [indexOf('lib')] });
  const client = node.withHeaders({ accept: VERSION_7 });
  const document = { _index: 'lib', _type: '_doc', _id: '1' };

  test('when they are written', async () => {
    const written = await client.ask('PUT', '/lib/_doc/1?refresh=true', { n: 1 });
    expect(written.headers['content-type']).toBe('application/vnd.elasticsearch+json;compatible-with=7');
    expect(written.json).toMatchObject({ ...document, result: 'created' });
    expect(Object.keys(written.json).slice(0, 3)).toEqual(['_index', '_type', '_id']);
    const body = lines({ index: { _id: '1' } }, { n: 2 }, { create: { _id: '1' } }, { n: 3 });
    const bulk = await client.ask('POST', '/lib/_bulk?refresh=true', body);
    expect(bulk.json.items).toMatchObject([
      { index: { ...document, status: 200 } },
      { create: { ...document, status: 409 } },
    ]);
  });

  test('when their terms are asked for, and when a pipeline is tried on them', async () => {
    expect((await client.ask('GET', '/lib/_termvectors/1')).json).toMatchObject(document);
    const docs = [
      { _index: 'lib', _id: '1' },
      { _index: 'none', _id: '1' },
    ];
    const { json } = await client.ask('POST', '/_mtermvectors', { docs });
    expect(json.docs).toMatchObject([document, { ...document, _index: 'none', error: {} }]);
    const tried = { pipeline: { processors: [{ set: { field: 'a', value: 1 } }] }, docs: [{ _source: {} }] };
    const typed = { doc: { _type: '_doc', _source: { a: 1 } } };
    expect((await client.ask('POST', '/_ingest/pipeline/_simulate', tried)).json.docs).toMatchObject([typed]);
    expect((await client.ask('POST', '/_ingest/pipeline/_simulate?verbose', tried)).json.docs).toMatchObject([
      { processor_results: [typed] },
    ]);
    expect((await node.ask('POST', '/_ingest/pipeline/_simulate', tried)).json.docs[0].doc).not.toHaveProperty('_type');
  });

  test('when they are read', async () => {
    expect((await client.ask('GET', '/lib/_doc/1')).json).toMatchObject({ ...document, found: true });
    expect((await client.ask('GET', '/lib/_doc/2')).json).toEqual({ ...document, _id: '2', found: false });
    const asked = {
      docs: [
        { _index: 'lib', _id: '1' },
        { _index: 'none', _id: '1' },
      ],
    };
    expect((await client.ask('POST', '/_mget', asked)).json.docs).toMatchObject([
      document,
      { ...document, _index: 'none' },
    ]);
    const query = { query: { match_all: {} } };
    expect((await client.ask('POST', '/lib/_explain/1', query)).json).toMatchObject({ ...document, matched: true });
  });

  test('when they are shown inside other hits and in buckets, and only there where it is asked for', async () => {
    const mapping = { properties: { o: { type: 'nested' }, k: { type: 'keyword' } } };
    const inner = testNode({ indices: [{ ...indexOf('inner'), mapping }] });
    await inner.ask('PUT', '/inner/_doc/1?refresh=true', { k: 'a', o: [{ x: 1 }] });
    const body = {
      query: { nested: { path: 'o', query: { match_all: {} }, inner_hits: {} } },
      collapse: { field: 'k', inner_hits: { name: 'group' } },
      aggs: { best: { top_hits: {} } },
    };
    const typesOf = (json: unknown): number => JSON.stringify(json).split('"_type":"_doc"').length - 1;
    const asked = inner.withHeaders({ accept: VERSION_7 });
    // The hit, its nested object, its group and the bucket's hit, the last two with their nested objects.
    expect(typesOf((await asked.ask('POST', '/inner/_search', body)).json)).toBe(6);
    const many = await asked.ask('POST', '/_msearch', lines({ index: 'inner' }, body));
    expect(typesOf(many.json)).toBe(6);
    expect(typesOf((await inner.ask('POST', '/inner/_search', body)).json)).toBe(0);
  });

  test('when they are found', async () => {
    const found = await client.ask('POST', '/lib/_search?scroll=1m', { query: { match_all: {} } });
    expect(found.json.hits.hits).toMatchObject([document]);
    const searches = await client.ask('POST', '/lib/_msearch', lines({}, { query: { match_all: {} } }));
    expect(searches.json.responses[0].hits.hits).toMatchObject([document]);
  });

  test('which a request may name too, though no other', async () => {
    const asked = (type: unknown) => ({ docs: [{ _index: 'lib', _type: type, _id: '1' }] });
    const search = (type: unknown) => lines({ types: type }, { query: { match_all: {} } });
    const bulk = (type: unknown) => lines({ index: { _type: type, _id: '1' } }, { n: 2 });
    for (const type of ['_doc', null]) {
      expect((await client.ask('POST', '/_mget', asked(type))).json.docs).toMatchObject([{ found: true }]);
    }
    expect((await client.ask('POST', '/lib/_bulk', bulk('_doc'))).json.errors).toBe(false);
    for (const types of ['_doc', [], ['_doc']]) {
      expect((await client.ask('POST', '/lib/_msearch', search(types))).json.responses).toMatchObject([
        { status: 200 },
      ]);
    }
    const others = [
      await client.ask('POST', '/_mget', asked('book')),
      await client.ask('POST', '/lib/_bulk', bulk('book')),
      await client.ask('POST', '/lib/_msearch', search(['book'])),
    ];
    expect(others.map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  test('whatever else of its documents a request leaves open', async () => {
    const open = {
      _type: null,
      routing: null,
      version: -3,
      version_type: 'internal',
      _source: null,
      stored_fields: null,
    };
    const answer = await client.ask('POST', '/_mget', { docs: [{ _index: 'lib', _id: '1', ...open }] });
    expect(answer.json.docs).toMatchObject([{ ...document, found: true, _source: { n: expect.any(Number) } }]);
  });

  test('and others do not', async () => {
    const answers = [
      await node.ask('PUT', '/lib/_doc/1?refresh=true', { n: 1 }),
      await node.ask('POST', '/lib/_bulk', lines({ index: { _id: '1' } }, { n: 2 })),
      await node.ask('GET', '/lib/_doc/1'),
      await node.ask('POST', '/lib/_search', { query: { match_all: {} } }),
    ];
    for (const { text } of answers) expect(text).not.toContain('_type');
  });
});
