import { expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, testNode } from '../http.test-support.ts';

test('a profile has each aggregation with its steps, nested as they are asked for', async () => {
  const mapping = { properties: { tag: { type: 'keyword' }, n: { type: 'long' } } };
  const node = testNode({ indices: [indexOf('lib', { mapping })] });
  const documents = ['a', 'b', 'a'].flatMap((tag, n) => [{ index: { _id: String(n) } }, { tag, n }]);
  await node.ask('POST', '/lib/_bulk', lines(...documents));
  const aggs = {
    tags: { terms: { field: 'tag' }, aggs: { most: { max: { field: 'n' } } } },
    days: { histogram: { field: 'n', interval: 2 } },
  };
  const plain = (await node.ask('GET', '/lib/_search', { size: 0, aggs })).json;
  const { json } = await node.ask('GET', '/lib/_search', { size: 0, aggs, profile: true });
  expect(json.aggregations).toEqual(plain.aggregations);
  const [shard] = json.profile.shards;
  expect(Object.keys(shard)).toEqual(['id', 'node_id', 'shard_id', 'index', 'cluster', 'searches', 'aggregations']);
  expect(shard.searches[0].query[0].type).toBe('MatchAllDocsQuery');
  const [tags, days] = shard.aggregations;
  expect(tags).toMatchObject({
    type: 'GlobalOrdinalsStringTermsAggregator',
    description: 'tags',
    debug: { result_strategy: 'terms', collection_strategy: 'remap', has_filter: false },
    breakdown: { initialize_count: 1, build_leaf_collector_count: 1, collect_count: 3, build_aggregation_count: 1 },
    children: [{ type: 'MaxAggregator', description: 'most', breakdown: { collect_count: 3 } }],
  });
  expect(days).toMatchObject({ type: 'NumericHistogramAggregator', description: 'days' });
  const steps = ['initialize', 'build_leaf_collector', 'collect', 'post_collection', 'build_aggregation'];
  const sum = steps.reduce((total, step) => total + tags.breakdown[step], 0);
  expect(tags.time_in_nanos).toBe(sum);
});

test.each([
  [{ field: 'tag', execution_hint: 'map' }, 'MapStringTermsAggregator', { result_strategy: 'terms', total_buckets: 2 }],
  [{ field: 'n' }, 'NumericTermsAggregator', { result_strategy: 'long_terms', total_buckets: 3 }],
  [{ field: 'f' }, 'NumericTermsAggregator', { result_strategy: 'double_terms', total_buckets: 0 }],
])('a profile says how the terms %j were told apart', async (terms, type, debug) => {
  const mapping = { properties: { tag: { type: 'keyword' }, n: { type: 'long' }, f: { type: 'double' } } };
  const node = testNode({ indices: [indexOf('lib', { mapping })] });
  const documents = ['a', 'b', 'a'].flatMap((tag, n) => [{ index: { _id: String(n) } }, { tag, n }]);
  await node.ask('POST', '/lib/_bulk', lines(...documents));
  const { json } = await node.ask('GET', '/lib/_search', { size: 0, aggs: { t: { terms } }, profile: true });
  expect(json.profile.shards[0].aggregations[0]).toMatchObject({ type, debug });
});

test('hints that name no way of working are refused', async () => {
  const node = testNode({ indices: [indexOf('lib', { mapping: { properties: { tag: { type: 'keyword' } } } })] });
  const ask = async (options: object) => {
    const aggs = { t: { terms: { field: 'tag', ...options } } };
    const { status, json } = await node.ask('GET', '/lib/_search', { aggs });
    return [status, json.error.root_cause[0].reason];
  };
  const wrongHint = 'Unknown `execution_hint`: [x], expected any of [map, global_ordinals]';
  expect(await ask({ execution_hint: 'x' })).toEqual([400, wrongHint]);
  expect((await ask({ collect_mode: 'x' }))[0]).toBe(400);
});
