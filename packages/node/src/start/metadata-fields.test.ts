/** Fields that every index has, in queries, sorts, aggregations and fields: `_index`, `_id`, `_seq_no`, `_routing`, `_version`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, type HttpAnswer, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const cluster = new TestCluster();
let one: TestNode;

beforeAll(async () => {
  one = await cluster.start('one', {
    settings: { 'discovery.type': 'single-node', 'cluster.initial_cluster_manager_nodes': null },
  });
  const mappings = {
    properties: { o: { properties: { a: { type: 'keyword', ignore_above: 3 }, b: { type: 'long' } } } },
  };
  for (const index of ['first', 'second']) await call(one, 'PUT', `/${index}`, { mappings });
  await call(one, 'POST', '/_aliases', { actions: [{ add: { index: 'second', alias: 'other' } }] });
  await call(one, 'PUT', '/first/_doc/1', { o: { a: 'x' } });
  await call(one, 'PUT', '/first/_doc/2?routing=r', { o: { b: 1 } });
  await call(one, 'PUT', '/first/_doc/2?routing=r', { o: { b: 2 } });
  await call(one, 'PUT', '/second/_doc/3', { o: { a: 'longer' } });
  await call(one, 'POST', '/_refresh');
});

afterAll(() => cluster.close());

const search = (body: unknown): Promise<HttpAnswer> => call(one, 'POST', '/first,second/_search', body);

async function found(query: unknown): Promise<string> {
  const { body } = await search({ query });
  const ids: readonly string[] = body.hits.hits.map(({ _id }: { readonly _id: string }) => _id);
  return [...ids].sort().join('');
}

describe('queries', () => {
  test.each([
    [{ term: { _index: 'first' } }, '12'],
    [{ term: { _index: 'other' } }, '3'],
    [{ term: { _index: { value: 'SEC*', case_insensitive: true } } }, '3'],
    [{ terms: { _index: ['nope', 'first'] } }, '12'],
    [{ prefix: { _index: 'sec' } }, '3'],
    [{ wildcard: { _index: '*ir*' } }, '12'],
    [{ match: { _index: 'first' } }, '12'],
    [{ query_string: { query: '_index:other OR _id:1' } }, '13'],
    [{ exists: { field: '_index' } }, '123'],
    [{ match_phrase: { _id: '2' } }, '2'],
    [{ multi_match: { query: '2', fields: ['_id', 'o.a'] } }, '2'],
    [{ term: { _seq_no: 2 } }, '2'],
    [{ range: { _seq_no: { gte: 0, lt: 1 } } }, '13'],
    [{ exists: { field: '_seq_no' } }, '123'],
    [{ term: { _routing: 'r' } }, '2'],
    [{ prefix: { _routing: 'r' } }, '2'],
    [{ exists: { field: '_routing' } }, '2'],
    [{ term: { _ignored: 'o.a' } }, '3'],
    [{ exists: { field: '_ignored' } }, '3'],
    [{ exists: { field: 'o' } }, '12'],
    [{ exists: { field: 'o.*' } }, '12'],
    [{ exists: { field: 'o*' } }, '12'],
    [{ exists: { field: '*b' } }, '2'],
  ])('%j finds %j', async (query, ids) => expect(await found(query)).toBe(ids));

  test.each([
    [
      { prefix: { _id: '1' } },
      'Can only use prefix queries on keyword, text and wildcard fields - not on [_id] which is of type [_id]',
    ],
    [
      { regexp: { _index: 'f.*' } },
      'Can only use regexp queries on keyword and text fields - not on [_index] which is of type [_index]',
    ],
    [
      { range: { _id: { gte: '1' } } },
      'failed to create query: Field [_id] of type [_id] does not support range queries',
    ],
    [{ term: { _version: 1 } }, 'The _version field is not searchable'],
    [{ exists: { field: '_source' } }, 'The _source field is not searchable'],
    [{ exists: { field: '_field_names' } }, 'failed to create query: Cannot run exists query on _field_names'],
  ])('%j is refused', async (query, reason) => {
    const { status, body } = await search({ query });
    expect([status, body.error.root_cause[0].reason]).toEqual([400, reason]);
  });
});

describe('values', () => {
  const sorted = async (sort: unknown, after: object = {}): Promise<unknown[]> =>
    (await search({ sort, ...after })).body.hits.hits.map(({ sort: values }: { readonly sort: unknown[] }) => values);

  test('sort', async () => {
    expect(await sorted(['_index', '_seq_no'])).toEqual([
      ['first', 0],
      ['first', 2],
      ['second', 0],
    ]);
    expect(await sorted([{ _index: 'desc' }], { search_after: ['second'] })).toEqual([['first'], ['first']]);
    expect(await sorted(['_version'])).toEqual([[1], [1], [2]]);
  });

  test('are aggregated', async () => {
    const aggs = {
      indices: { terms: { field: '_index' } },
      count: { value_count: { field: '_index' } },
      pages: { composite: { sources: [{ index: { terms: { field: '_index' } } }] } },
      last: { max: { field: '_seq_no' } },
    };
    const { aggregations } = (await search({ size: 0, aggs })).body;
    const buckets = [
      { key: 'first', doc_count: 2 },
      { key: 'second', doc_count: 1 },
    ];
    expect(aggregations.indices.buckets).toEqual(buckets);
    expect(aggregations.count.value).toBe(3);
    expect(aggregations.pages.buckets.map(({ key }: { readonly key: object }) => key)).toEqual([
      { index: 'first' },
      { index: 'second' },
    ]);
    expect(aggregations.last.value).toBe(2);
  });

  test('are shown', async () => {
    const { body } = await search({ query: { ids: { values: ['2'] } }, docvalue_fields: ['_index', '_seq_no'] });
    expect(body.hits.hits[0].fields).toEqual({ _index: ['first'], _seq_no: [2] });
  });

  test('have ids, which order, group and show documents', async () => {
    expect(await sorted([{ _id: 'desc' }])).toEqual([['3'], ['2'], ['1']]);
    expect(await sorted(['_id'], { search_after: ['2'] })).toEqual([['3']]);
    const aggs = {
      ids: { terms: { field: '_id', include: '[12]' } },
      count: { cardinality: { field: '_id' } },
      pages: { composite: { sources: [{ id: { terms: { field: '_id' } } }] } },
    };
    const { aggregations } = (await search({ size: 0, aggs })).body;
    expect(aggregations.ids.buckets).toEqual(['1', '2'].map((key) => ({ key, doc_count: 1 })));
    expect(aggregations.count.value).toBe(3);
    expect(aggregations.pages.after_key).toEqual({ id: '3' });
    const { body } = await search({ query: { ids: { values: ['2'] } }, docvalue_fields: ['_id'] });
    expect(body.hits.hits[0].fields).toEqual({ _id: ['2'] });
  });

  const disallowed =
    'Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster setting: indices.id_field_data.enabled';
  test.each([
    [{ sort: ['_routing'] }, 'Fielddata is not supported on field [_routing] of type [_routing]'],
    [
      { aggs: { a: { terms: { field: '_source' } } } },
      'Fielddata is not supported on field [_source] of type [_source]',
    ],
  ])('%j is refused', async (request, reason) => {
    const { status, body } = await search(request);
    expect([status, body.error.root_cause[0].reason]).toEqual([400, reason]);
  });

  test.each([[{ sort: ['_id'] }], [{ aggs: { a: { terms: { field: '_id' } } } }], [{ docvalue_fields: ['_id'] }]])(
    '%j is refused where the cluster forbids it',
    async (request) => {
      const set = (value: boolean | null): Promise<HttpAnswer> =>
        call(one, 'PUT', '/_cluster/settings', { transient: { 'indices.id_field_data.enabled': value } });
      await set(false);
      try {
        const { status, body } = await search(request);
        expect([status, body.error.root_cause[0].reason]).toEqual([400, disallowed]);
        const caps = await call(one, 'GET', '/first/_field_caps?fields=_id');
        expect(caps.body.fields._id._id.aggregatable).toBe(false);
      } finally {
        await set(null);
      }
    },
  );

  test.each([
    ["doc['_id'].value + doc['_id'].size()", '21'],
    ["doc['_index'].value", 'first'],
    ["doc.containsKey('_id')", true],
  ])('scripts read %s', async (source, value) => {
    const { body } = await search({ query: { ids: { values: ['2'] } }, script_fields: { read: { script: source } } });
    expect(body.hits.hits[0].fields).toEqual({ read: [value] });
  });

  test.each(['_id', '_index'])('%s is no number', async (field) => {
    const { status, body } = await search({ size: 0, aggs: { last: { max: { field } } } });
    const reason = `Field [${field}] of type [${field}] is not supported for aggregation [max]`;
    expect([status, body.error.root_cause[0].reason]).toEqual([400, reason]);
  });

  test.each(['_id', '_index', '_seq_no'])('%s does not collapse', async (field) => {
    const { status, body } = await search({ collapse: { field } });
    const reason = `unknown type for collapse field \`${field}\`, only keywords and numbers are accepted`;
    expect([status, body.error.root_cause[0].reason]).toEqual([400, reason]);
  });

  test('are told by _field_caps', async () => {
    const { body } = await call(one, 'GET', '/first/_field_caps?fields=_*');
    const can = Object.entries<Record<string, { readonly searchable: boolean; readonly aggregatable: boolean }>>(
      body.fields,
    );
    const told = can.flatMap(([name, types]) =>
      Object.entries(types).map(([type, { searchable, aggregatable }]) => [
        type === name ? name : `${name} as ${type}`,
        [searchable, aggregatable],
      ]),
    );
    expect(Object.fromEntries(told)).toEqual({
      _data_stream_timestamp: [false, false],
      '_doc_count as integer': [false, false],
      _feature: [false, false],
      _field_names: [true, false],
      _id: [true, true],
      _ignored: [true, true],
      _index: [true, true],
      _nested_path: [true, false],
      _routing: [true, false],
      _seq_no: [true, true],
      _source: [false, false],
      _version: [false, true],
    });
  });
});
