import { BLOCK_ID } from '@shoal/cluster';
import type { ClusterBlock } from '@shoal/cluster-state';
import { FREE_CONTEXT, FREE_CONTEXTS, NODE_QUERY, QUERY_PHASE } from '@shoal/protocol';
import { describe, expect, test } from 'vitest';
import { type IndexParts, indexOf, nodeOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

const SHARDS = 11;
const DOCS = 90;

/** Documents over many shards of two nodes. */
async function spread(): Promise<TestNode> {
  const node = testNode({
    indices: [indexOf('big', { shards: SHARDS })],
    nodes: [nodeOf('n1'), nodeOf('n2')],
    place: (_, shard) => `n${1 + (shard % 2)}`,
  });
  const parts = Array.from({ length: DOCS }, (_, i) => [
    { index: { _id: `d${i}` } },
    { n: i % 7, i, text: i % 3 ? 'odd one' : 'even', tag: `t${i % 5}` },
  ]);
  await node.ask('POST', '/big/_bulk', lines(...parts.flat()));
  node.cluster.sent.length = 0;
  return node;
}

const SEARCHES: readonly (readonly [string, object])[] = [
  ['by score', { query: { match: { text: 'odd' } }, size: 20 }],
  ['by a field', { sort: [{ n: 'desc' }, { i: 'asc' }], from: 3, size: 30, track_scores: true }],
  ['by a text', { sort: [{ 'tag.keyword': 'asc' }], size: 50 }],
  ['collapsed', { collapse: { field: 'n' }, sort: [{ i: 'desc' }] }],
  ['without hits', { size: 0, query: { term: { n: 3 } } }],
  [
    'with aggregations of every sort of result',
    {
      size: 5,
      sort: ['i'],
      aggs: {
        terms: {
          terms: { field: 'tag.keyword', size: 3 },
          aggs: {
            sum: { sum: { field: 'i' } },
            top: { top_metrics: { metrics: { field: 'i' }, sort: { i: 'desc' } } },
          },
        },
        hist: { histogram: { field: 'i', interval: 10 }, aggs: { n: { cardinality: { field: 'n' } } } },
        ranges: { range: { field: 'i', ranges: [{ to: 20 }, { from: 20 }] } },
        filters: { filters: { filters: { a: { term: { n: 1 } }, b: { term: { n: 2 } } } } },
        percent: { percentiles: { field: 'i' } },
        stats: { extended_stats: { field: 'i' } },
        pages: { composite: { size: 4, sources: [{ n: { terms: { field: 'n' } } }] } },
        most: { max_bucket: { buckets_path: 'hist>_count' } },
      },
    },
  ],
];

describe('results that are reduced in batches', () => {
  test.each(SEARCHES)('%s: the answer is that of one reduce', async (_, body) => {
    const node = await spread();
    const answerOf = async (size: number) => {
      const { json } = await node.ask('POST', `/big/_search?batched_reduce_size=${size}`, body);
      const { took: _took, num_reduce_phases: phases, ...shown } = json;
      return { phases, shown };
    };
    const whole = await answerOf(512);
    expect(whole.phases).toBeUndefined();
    const isReduced = !('size' in body) || body.size !== 0;
    for (const size of [2, 3, 5, 10, 11]) {
      const { phases, shown } = await answerOf(size);
      expect(shown).toEqual(whole.shown);
      // The first batch has `size` results, each later one with the outcome of those before.
      const batches = SHARDS > size ? 1 + Math.floor((SHARDS - size - 1) / (size - 1)) : 0;
      expect(phases).toBe(isReduced && batches > 0 ? batches + 1 : undefined);
    }
    await expect.poll(() => node.cluster.openContexts()).toBe(0);
  });

  test('a node is asked once, and once more to let go of what was not shown', async () => {
    const node = await spread();
    await node.ask('POST', '/big/_search', { size: 1, sort: ['i'] });
    const actions = node.cluster.sent.map(({ action }) => action);
    expect(actions.filter((action) => action === NODE_QUERY.name || action === QUERY_PHASE.name)).toHaveLength(2);
    expect(
      actions.filter((action) => action === FREE_CONTEXTS.name || action === FREE_CONTEXT.name).length,
    ).toBeLessThanOrEqual(2);
    await expect.poll(() => node.cluster.openContexts()).toBe(0);
  });
});

/** One index a day of three, each with the numbers and dates of its day. */
async function days(parts: IndexParts = {}): Promise<TestNode> {
  const names = ['day-1', 'day-2', 'day-3'];
  const mapping = { properties: { at: { type: 'date' }, n: { type: 'long' }, off: { type: 'date', index: false } } };
  const node = testNode({ indices: names.map((name) => indexOf(name, { mapping, ...parts })) });
  for (const [i, name] of names.entries()) {
    const at = `2024-01-0${i + 1}T12:00:00Z`;
    const documents = [{ index: {} }, { at, n: i * 10, off: at }, { index: {} }, { at, n: i * 10 + 5, off: at }];
    await node.ask('POST', `/${name}/_bulk`, lines(...documents));
  }
  node.cluster.sent.length = 0;
  return node;
}

const lastDay = { range: { at: { gte: '2024-01-03' } } };

describe('shards that can have no match are skipped', () => {
  test.each<[string, object, number, number]>([
    ['by a range of dates', lastDay, 2, 2],
    ['by a range of numbers', { range: { n: { gte: 10, lt: 20 } } }, 2, 2],
    ['by the name of the index', { term: { _index: 'day-2' } }, 2, 2],
    ['by names of the index', { terms: { _index: ['day-2', 'day-3'] } }, 1, 4],
    ['by a pattern of names', { prefix: { _index: 'day' } }, 0, 6],
    ['by a filter', { bool: { filter: [lastDay], should: [{ match_all: {} }] } }, 2, 2],
    ['by all of the optional clauses', { bool: { should: [lastDay, { term: { _index: 'day-1' } }] } }, 1, 4],
    ['by what is inside a constant score', { constant_score: { filter: lastDay } }, 2, 2],
    ['but not by what must not match', { bool: { must_not: [lastDay] } }, 0, 4],
    ['but not by a column without an index', { range: { off: { gte: '2024-01-03' } } }, 0, 2],
    ['but not by an absent term', { term: { n: 7 } }, 0, 0],
    ['and one is asked all the same where none can match', { range: { n: { gte: 1000 } } }, 2, 0],
  ])('%s', async (_, query, skipped, total) => {
    const node = await days();
    const body = {
      query,
      aggs: { n: { terms: { field: 'n' } }, days: { date_histogram: { field: 'at', fixed_interval: '1d' } } },
    };
    const looked = (await node.ask('POST', '/_search?pre_filter_shard_size=1', body)).json;
    expect(looked._shards).toEqual({ total: 3, successful: 3, skipped, failed: 0 });
    expect(looked.hits.total.value).toBe(total);
    const plain = (await node.ask('POST', '/_search?pre_filter_shard_size=3', body)).json;
    expect(plain._shards.skipped).toBe(0);
    expect([looked.hits, looked.aggregations]).toEqual([plain.hits, plain.aggregations]);
    await expect.poll(() => node.cluster.openContexts()).toBe(0);
  });

  test('where the search is sorted by a field, or an index takes no writes', async () => {
    const skipped = async (node: TestNode, body: object) =>
      (await node.ask('POST', '/_search', { query: lastDay, ...body })).json._shards.skipped;
    expect(await skipped(await days(), {})).toBe(0);
    expect(await skipped(await days(), { sort: ['n'] })).toBe(2);
    expect(await skipped(await days(), { sort: ['_doc'] })).toBe(0);
    const node = await days();
    const block: ClusterBlock = { id: BLOCK_ID.indexWrite, description: '', status: 403, levels: ['write'] };
    node.cluster.change({ indexBlocks: new Map([['day-2', [block]]]) });
    expect(await skipped(node, {})).toBe(2);
  });

  test('but not where an aggregation shows what nothing matched', async () => {
    const node = await days();
    const of = async (aggs: object) =>
      (await node.ask('POST', '/_search?pre_filter_shard_size=1', { query: lastDay, size: 0, aggs })).json;
    expect((await of({ g: { global: {} } }))._shards.skipped).toBe(0);
    expect((await of({ g: { global: {} } })).aggregations.g.doc_count).toBe(6);
    expect((await of({ n: { terms: { field: 'n', min_doc_count: 0 } } }))._shards.skipped).toBe(0);
  });

  test('and a query that cannot be read is told by every shard', async () => {
    const node = await days();
    const answer = await node.ask('POST', '/_search?pre_filter_shard_size=1', {
      query: { range: { at: { gte: 'x' } } },
    });
    expect([answer.status, answer.json.error.root_cause[0].type]).toEqual([400, 'parse_exception']);
  });
});
