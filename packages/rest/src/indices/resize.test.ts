import { describe, expect, test } from 'vitest';
import { RecordedCluster } from '../cluster/recorded-cluster.test-support.ts';

function cluster(): RecordedCluster {
  const recorded = new RecordedCluster();
  recorded.adminAnswer = { shardsAcknowledged: true, index: 'new' };
  return recorded;
}

describe('an index made of another one', () => {
  test.each([
    ['_shrink', 'shrink'],
    ['_split', 'split'],
    ['_clone', 'clone'],
  ])('by %s is created with its source', async (verb, kind) => {
    const recorded = cluster();
    const body = { settings: { number_of_shards: 2 }, aliases: { a: {} } };
    const answer = await recorded.ask('PUT', `/lib/${verb}/new?wait_for_active_shards=all`, body);
    expect(answer.json).toEqual({ acknowledged: true, shards_acknowledged: true, index: 'new' });
    expect(recorded.calls).toMatchObject([
      {
        method: 'createIndex',
        request: { index: 'new', ...body, mappings: {}, waitForActiveShards: 'all', resize: { kind, source: 'lib' } },
      },
    ]);
  });

  test.each([
    ['?copy_settings=false', {}, 'parameter [copy_settings] can not be explicitly set to [false]'],
    ['', { mappings: {} }, '[resize_request] unknown field [mappings]'],
    ['', { max_primary_shard_size: '1gb' }, '[resize_request] unknown field [max_primary_shard_size]'],
    ['?wait_for_active_shards=x', {}, 'cannot parse ActiveShardCount[x]'],
  ])('is refused with %s %j', async (query, body, reason) => {
    const recorded = cluster();
    const answer = await recorded.ask('POST', `/lib/_clone/new${query}`, body);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(reason);
    expect(recorded.calls).toEqual([]);
  });
});
