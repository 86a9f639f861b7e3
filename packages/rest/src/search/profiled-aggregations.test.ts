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
  expect(Object.keys(shard)).toEqual(['id', 'searches', 'aggregations']);
  expect(shard.searches[0].query[0].type).toBe('MatchAllDocsQuery');
  const [tags, days] = shard.aggregations;
  expect(tags).toMatchObject({
    type: 'TermsAggregator',
    description: 'tags',
    breakdown: { initialize_count: 1, build_leaf_collector_count: 1, collect_count: 3, build_aggregation_count: 1 },
    children: [{ description: 'most', breakdown: { collect_count: 3 } }],
  });
  expect(days).toMatchObject({ type: 'HistogramAggregator', description: 'days' });
  const steps = ['initialize', 'build_leaf_collector', 'collect', 'post_collection', 'build_aggregation'];
  const sum = steps.reduce((total, step) => total + tags.breakdown[step], 0);
  expect(tags.time_in_nanos).toBe(sum);
});
