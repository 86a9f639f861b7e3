import { NODE_QUERY } from '@shoal/protocol';
import { describe, expect, test } from 'vitest';
import { aliasOf, indexOf, nodeOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

const MAPPING = { properties: { title: { type: 'text' }, c: { type: 'completion' } } };

/** Three documents over three shards of two nodes. */
async function library(): Promise<TestNode> {
  const node = testNode({
    indices: [indexOf('lib', { shards: 3, mapping: MAPPING })],
    nodes: [nodeOf('n1'), nodeOf('n2')],
    place: (_, shard) => `n${1 + (shard % 2)}`,
  });
  const titles = ['nobel prize', 'noble prize', 'price of peace'];
  const docs = titles.flatMap((title, n) => [
    { index: { _id: `${n}` } },
    { title, c: { input: title, weight: n + 1 } },
  ]);
  await node.ask('POST', '/lib/_bulk', lines(...docs));
  return node;
}

describe('suggest of a search', () => {
  test('joins what all shards suggest, and has no hits of its own', async () => {
    const node = await library();
    const suggest = {
      text: 'nobl prise',
      a: { term: { field: 'title', suggest_mode: 'always' } },
      b: { prefix: 'no', completion: { field: 'c', size: 1 } },
    };
    const { status, json } = await node.ask('POST', '/lib/_search?typed_keys=true', JSON.stringify({ suggest }));
    expect(status).toBe(200);
    expect(json).toMatchObject({
      hits: { total: { value: 0 }, hits: [] },
      suggest: {
        'term#a': [
          {
            text: 'nobl',
            offset: 0,
            length: 4,
            options: [
              { text: 'nobel', freq: 1 },
              { text: 'noble', freq: 1 },
            ],
          },
          {
            text: 'prise',
            offset: 5,
            length: 5,
            options: [
              { text: 'prize', freq: 2 },
              { text: 'price', freq: 1 },
            ],
          },
        ],
        'completion#b': [
          {
            text: 'no',
            options: [{ text: 'noble prize', _index: 'lib', _id: '1', _score: 2, _source: { title: 'noble prize' } }],
          },
        ],
      },
    });
  });

  test('stands in the address too, under the name of its field', async () => {
    const node = await library();
    const options = [
      { text: 'nobel', freq: 1 },
      { text: 'noble', freq: 1 },
    ];
    const always = 'suggest_field=title&suggest_mode=always';
    const alone = await node.ask('POST', `/lib/_search?${always}&suggest_text=nobl`);
    expect(alone.json).toMatchObject({
      hits: { total: { value: 0 } },
      suggest: { title: [{ text: 'nobl', options }] },
    });
    const ofQuery = await node.ask('POST', `/lib/_search?${always}&suggest_size=1&q=nobl&df=title`);
    expect(ofQuery.json.suggest.title).toMatchObject([{ text: 'nobl', options: options.slice(0, 1) }]);
    const found = await node.ask('POST', `/lib/_search?${always}&suggest_text=nobl&q=prize&df=title`);
    expect(found.json).toMatchObject({ hits: { total: { value: 2 } }, suggest: { title: [{ options }] } });
    const missing = await node.ask('POST', '/lib/_search?suggest_text=nobl');
    expect(missing.status).toBe(400);
    expect(missing.json.error.reason).toContain('unrecognized parameter: [suggest_text]');
    const wrong = await node.ask('POST', '/lib/_search?suggest_field=title&suggest_text=a&suggest_mode=never');
    expect(wrong.status).toBe(400);
  });

  test('has no hits of its own where there is nothing to suggest', async () => {
    const node = await library();
    const { json } = await node.ask('POST', '/lib/_search', { suggest: {} });
    expect(json.hits).toMatchObject({ total: { value: 0 }, hits: [] });
    const beside = await node.ask('POST', '/lib/_search', { suggest: {}, query: { match_all: {} } });
    expect(beside.json.hits.total.value).toBe(3);
  });

  test('alone asks no shard for hits, whatever its page; a query beside it does', async () => {
    const node = await library();
    const suggest = { a: { text: 'nobl', term: { field: 'title' } } };
    const asked = async (body: object) => {
      const before = node.cluster.sent.length;
      const { json } = await node.ask('POST', '/lib/_search', JSON.stringify({ suggest, ...body }));
      const actions = node.cluster.sent.slice(before).map(({ action }) => action);
      return { json, isQueried: actions.includes(NODE_QUERY.name) };
    };
    const alone = await asked({ from: 2, size: 3 });
    expect(alone.isQueried).toBe(false);
    expect(alone.json).toMatchObject({
      timed_out: false,
      _shards: { total: 3, successful: 3, skipped: 0, failed: 0 },
      hits: { total: { value: 0, relation: 'eq' }, max_score: null, hits: [] },
      suggest: { a: [{ text: 'nobl', options: [{ text: 'nobel' }, { text: 'noble' }] }] },
    });
    expect((await asked({ query: { match_all: {} } })).isQueried).toBe(true);
    // What could be wrong on a shard is looked at there.
    expect((await asked({ sort: [{ nope: 'asc' }] })).isQueried).toBe(true);
  });

  test('stands beside the hits of a query, and fails the shards that cannot', async () => {
    const node = await library();
    const suggest = { a: { text: 'nobl', term: { field: 'title' } } };
    const found = await node.ask('POST', '/lib/_search', JSON.stringify({ query: { match_all: {} }, suggest }));
    expect(found.json).toMatchObject({ hits: { total: { value: 3 } }, suggest: { a: [{ text: 'nobl' }] } });
    const failed = await node.ask('POST', '/lib/_search', '{"suggest":{"a":{"text":"x","term":{"field":"nope"}}}}');
    expect(failed.status).toBe(400);
    expect(failed.json).toMatchObject({
      error: {
        type: 'search_phase_execution_exception',
        root_cause: [{ reason: 'no mapping found for field [nope]' }],
      },
    });
  });
});

test('_search_shards says where the shards stand, and what aliases filter', async () => {
  const filter = { term: { tag: 'a' } };
  const aliases = [aliasOf('only', { filter }), aliasOf('whole')];
  const node = testNode({ indices: [indexOf('lib', { shards: 2, aliases })] });
  const { json } = await node.ask('GET', '/only/_search_shards');
  expect(json).toMatchObject({
    nodes: { n1: { name: 'n1' } },
    indices: { lib: { aliases: ['only'], filter: { term: { tag: { value: 'a', boost: 1 } } } } },
    shards: [[{ index: 'lib', shard: 0, primary: true }], [{ index: 'lib', shard: 1 }]],
  });
  const both = await node.ask('GET', '/only,whole/_search_shards');
  expect(both.json).toMatchObject({ indices: { lib: { aliases: ['only', 'whole'] } } });
  expect(JSON.stringify(both.json)).not.toContain('"filter"');
});
