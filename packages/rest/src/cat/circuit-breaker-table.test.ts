import { expect, test } from 'vitest';
import { RecordedCluster } from '../cluster/recorded-cluster.test-support.ts';
import { NODE_ID, recordedState } from '../cluster/recorded-state.test-support.ts';

function cluster(): RecordedCluster {
  const recorded = new RecordedCluster(recordedState);
  const breaker = { limit_size_in_bytes: 2048, estimated_size_in_bytes: 1024, overhead: 1, tripped: 3 };
  recorded.answers = {
    'cluster:monitor/nodes/stats[n]': () => ({
      stats: { breakers: { request: breaker, parent: { ...breaker, tripped: 0 } } },
    }),
  };
  return recorded;
}

test('breakers are listed with their limits, what they count, and what they refused', async () => {
  const { text } = await cluster().ask('GET', '/_cat/circuit_breaker');
  expect(text).toBe(`${NODE_ID} request 2kb 1kb 3\n${NODE_ID} parent  2kb 1kb 0\n`);
});

test('patterns choose breakers', async () => {
  const { json } = await cluster().ask('GET', '/_cat/circuit_breaker/par*?format=json&h=nn,br,lb,eb,o');
  expect(json).toEqual([{ nn: 'peer-19290', br: 'parent', lb: '2048', eb: '1024', o: '1' }]);
});
