import { describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

const MAPPING = {
  properties: {
    n: { type: 'long', ignore_malformed: true },
    d: { type: 'date', ignore_malformed: true },
    k: { type: 'keyword', ignore_above: 3 },
    t: { type: 'text', fields: { raw: { type: 'keyword', ignore_above: 5 } } },
  },
};

async function library(): Promise<TestNode> {
  const node = testNode({ indices: [indexOf('lib', { mapping: MAPPING })] });
  const bulk = lines(
    { index: { _id: '1' } },
    { n: 'x', k: ['longer', 'ok'], d: 'never' },
    { index: { _id: '2', routing: 'r' } },
    { n: [1, 'y'] },
    { index: { _id: '3' } },
    { n: 3, k: 'abc', t: 'words' },
    { index: { _id: '4' } },
    { t: 'more words' },
  );
  await node.ask('POST', '/lib/_bulk', bulk);
  return node;
}

interface Hit {
  readonly _id: string;
  readonly _ignored?: readonly string[];
}

describe('values that a field leaves out', () => {
  test('name their field in every hit, and only there', async () => {
    const node = await library();
    const { json } = await node.ask('GET', '/lib/_search', { sort: ['_doc'], stored_fields: ['n'] });
    expect(json.hits.hits.map(({ _id, _ignored }: Hit) => [_id, _ignored])).toEqual([
      ['1', ['d', 'k', 'n']],
      ['2', ['n']],
      ['3', undefined],
      ['4', ['t.raw']],
    ]);
    expect((await node.ask('GET', '/lib/_search?stored_fields=_none_')).text).not.toContain('_ignored');
    expect((await node.ask('GET', '/lib/_doc/1')).text).not.toContain('_ignored');
    const routed = await node.ask('GET', '/lib/_search', { query: { ids: { values: ['2'] } } });
    expect(routed.text).toContain('"_routing":"r","_ignored":["n"],"_source"');
  });

  test.each([
    [{ term: { _ignored: 'n' } }, ['1', '2']],
    [{ terms: { _ignored: ['k', 't.raw'] } }, ['1', '4']],
    [{ exists: { field: '_ignored' } }, ['1', '2', '4']],
    [{ prefix: { _ignored: 't.' } }, ['4']],
    [{ query_string: { query: '_ignored:d' } }, ['1']],
  ])('are found by %j', async (query, ids) => {
    const { json } = await (await library()).ask('GET', '/lib/_search', { query });
    expect(json.hits.hits.map(({ _id }: Hit) => _id).sort()).toEqual(ids);
  });

  test('are counted by field', async () => {
    const aggs = { i: { terms: { field: '_ignored' } } };
    const { json } = await (await library()).ask('GET', '/lib/_search', { size: 0, aggs });
    expect(json.aggregations.i.buckets).toContainEqual({ key: 'n', doc_count: 2 });
  });

  test('are shown beside the fields that a search asks for', async () => {
    const { json } = await (await library()).ask('GET', '/lib/_search', { fields: ['n', 'k'], sort: ['_doc'] });
    expect(json.hits.hits[0]).toMatchObject({
      fields: { k: ['ok'] },
      ignored_field_values: { n: ['x'], k: ['longer'] },
    });
    expect(json.hits.hits[1]).toMatchObject({ fields: { n: [1] }, ignored_field_values: { n: ['y'] } });
    expect(json.hits.hits[2]).not.toHaveProperty('ignored_field_values');
  });

  test('are no field of the mapping', async () => {
    const node = await library();
    expect((await node.ask('GET', '/lib/_mapping')).text).not.toContain('_ignored');
    expect((await node.ask('PUT', '/lib/_doc/9', { _ignored: 'x' })).status).toBe(400);
  });
});
