import { expect, test } from 'vitest';
import { lost, RecordedCluster } from '../cluster/recorded-cluster.test-support.ts';
import { recordedState } from '../cluster/recorded-state.test-support.ts';

function cluster(): RecordedCluster {
  const recorded = new RecordedCluster(recordedState);
  const idle = { threads: 2, queue: 0, active: 0, rejected: 0, largest: 2, completed: 4 };
  recorded.answers = {
    'cluster:monitor/nodes/stats[n]': () => ({
      stats: { thread_pool: { write: idle, search: { ...idle, active: 1, queue: 3, rejected: 9 } } },
    }),
    'cluster:monitor/nodes/info[n]': () => ({
      info: {
        process: { id: 7 },
        thread_pool: {
          search: { type: 'fixed', size: 2, queue_size: 1000 },
          write: { type: 'scaling', core: 1, max: 4, keep_alive: '5m', queue_size: -1 },
        },
      },
    }),
  };
  return recorded;
}

test('pools are listed by name, with what runs, waits and was refused', async () => {
  const { text } = await cluster().ask('GET', '/_cat/thread_pool?v');
  expect(text).toBe(
    'node_name  name   active queue rejected\npeer-19290 search      1     3        9\npeer-19290 write       0     0        0\n',
  );
});

test('patterns choose pools, and what a kind of pool does not have is empty', async () => {
  const columns = 'pid,po,n,t,psz,qs,l,c,cr,mx,sz,ka';
  const { json } = await cluster().ask('GET', `/_cat/thread_pool/wr*,nosuch?format=json&h=${columns}`);
  expect(json).toEqual([
    {
      pid: '7',
      po: '20290',
      n: 'write',
      t: 'scaling',
      psz: '2',
      qs: '-1',
      l: '2',
      c: '4',
      cr: '1',
      mx: '4',
      sz: null,
      ka: '5m',
    },
  ]);
});

test('a cluster without a manager refuses it, and its help needs none', async () => {
  const without = new RecordedCluster(lost);
  expect((await without.ask('GET', '/_cat/thread_pool?master_timeout=0s')).status).toBe(503);
  expect((await without.ask('GET', '/_cat/thread_pool?help')).text).toContain('keep_alive        | ka');
});
