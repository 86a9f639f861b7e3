import { describe, expect, test } from 'vitest';
import { aliasOf, indexOf, nodeOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

const MAPPING = { properties: { t: { type: 'text', term_vector: 'yes' }, n: { type: 'long' } } };

/** Documents over three shards of two nodes, and an index that is reached by a routing only. */
async function library(): Promise<TestNode> {
  const node = testNode({
    indices: [
      indexOf('lib', { shards: 3, mapping: MAPPING }),
      indexOf('routed', { mapping: { ...MAPPING, _routing: { required: true } }, aliases: [aliasOf('al')] }),
    ],
    nodes: [nodeOf('n1'), nodeOf('n2')],
    place: (_, shard) => `n${1 + (shard % 2)}`,
  });
  const docs = ['a b a', 'c', 'd'].flatMap((t, n) => [{ index: { _id: `${n}` } }, { t }]);
  await node.ask('POST', '/lib/_bulk', lines(...docs));
  return node;
}

/** The shard of the first document has another one. */
const VECTOR = {
  t: {
    field_statistics: { sum_doc_freq: 3, doc_count: 2, sum_ttf: 4 },
    terms: { a: { term_freq: 2 }, b: { term_freq: 1 } },
  },
};

describe('_termvectors', () => {
  test('shows the terms of a document, and says when there is none', async () => {
    const node = await library();
    const took = expect.any(Number);
    expect((await node.ask('GET', '/lib/_termvectors/0')).json).toEqual({
      _index: 'lib',
      _id: '0',
      _version: 1,
      found: true,
      took,
      term_vectors: VECTOR,
    });
    const missing = await node.ask('GET', '/lib/_termvectors/9');
    expect(missing).toMatchObject({ status: 200, json: { _index: 'lib', _id: '9', _version: 0, found: false, took } });
    const body = JSON.stringify({ doc: { t: 'x' }, field_statistics: false, positions: false, offsets: false });
    expect((await node.ask('POST', '/lib/_termvectors', body)).json).toEqual({
      _index: 'lib',
      _version: 0,
      found: true,
      took,
      term_vectors: { t: { terms: { x: { term_freq: 1 } } } },
    });
  });

  test.each([
    ['/lib/_termvectors', '', 400, 'Validation Failed: 1: id or doc is missing;'],
    ['/lib/_termvectors/0', '{"doc":{}}', 400, 'either [id] or [doc] can be specified, but not both!'],
    ['/lib/_termvectors/0', '{"versionType":"external"}', 400, 'unknown field [versionType]'],
    ['/lib/_termvectors/0', '{"fields":"t"}', 400, 'field [fields] must be an array'],
    ['/lib/_termvectors/0', '{"dfs":true}', 400, 'distributed frequencies is not supported'],
    ['/lib/_termvectors/0', '{"filter":{"x":1}}', 400, 'the field [x] is not valid for filter'],
    ['/lib/_termvectors/0', '{"filter":{"max_num_terms":"x"}}', 400, 'For input string: "x"'],
    ['/lib/_termvectors/0', '{"positions":"x"}', 400, 'Failed to parse value [x]'],
    ['/lib/_termvectors/0', '[1]', 400, 'failed to parse term vectors request'],
    ['/lib/_termvectors/0?version_type=x', '', 400, 'No version type match [x]'],
    ['/lib/_termvectors/0?version=7', '', 500, 'failed to execute term vector request'],
    ['/lib/_termvectors', '{"doc":{"n":"x"}}', 500, 'failed to execute term vector request'],
    ['/al/_termvectors/0', '', 400, 'routing is required for [routed]/[0]'],
    ['/none/_termvectors/0', '', 404, 'no such index [none]'],
  ])('%s %s is refused', async (path, body, status, reason) => {
    const node = await library();
    const { status: found, json } = await node.ask('POST', path, body);
    expect(found).toBe(status);
    expect((json as { error: { reason: string } }).error.reason).toContain(reason);
  });
});

describe('_mtermvectors', () => {
  test('answers for each document, in order, and for the ids last', async () => {
    const node = await library();
    const body = {
      docs: [{ _id: '1' }, { _id: '0', version: 7 }, { _index: 'none', _id: '1' }],
      parameters: { field_statistics: false },
      ids: ['0', '9', '0'],
    };
    const { json } = await node.ask('POST', '/lib/_mtermvectors', JSON.stringify(body));
    expect(json).toMatchObject({
      docs: [
        { _id: '1', term_vectors: { t: { field_statistics: { doc_count: 1 }, terms: { c: { term_freq: 1 } } } } },
        { _id: '0', error: { caused_by: { type: 'version_conflict_engine_exception' } } },
        { _index: 'none', _id: '1', error: { type: 'index_not_found_exception' } },
        { _id: '0', term_vectors: { t: { terms: VECTOR.t.terms } } },
        { _id: '9', found: false },
      ],
    });
    expect((json as { docs: unknown[] }).docs).toHaveLength(5);
  });

  test.each([
    ['/_mtermvectors', '', 'multi term vectors: no documents requested'],
    ['/_mtermvectors', '{"docs":[{"_id":"1"}]}', '1: index is missing;2: at multi term vectors for doc 0;'],
    ['/lib/_mtermvectors', '{"docs":[{}]}', '1: id or doc is missing;2: at multi term vectors for doc 0;'],
    ['/lib/_mtermvectors', '{"docs":["a"]}', 'docs array element should include an object'],
    ['/lib/_mtermvectors', '{"x":[]}', 'no parameter named [x] and type ARRAY'],
    ['/lib/_mtermvectors', '{"x":{}}', 'no parameter named [x] and type OBJECT'],
    ['/lib/_mtermvectors', '{"ids":"1"}', '_mtermvectors: Parameter [ids] not supported'],
  ])('%s %s is refused', async (path, body, reason) => {
    const node = await library();
    const { status, json } = await node.ask('POST', path, body);
    expect(status).toBe(400);
    expect((json as { error: { reason: string } }).error.reason).toContain(reason);
  });
});
