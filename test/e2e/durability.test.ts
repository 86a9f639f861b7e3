/**
 * kill -9 at any moment: what was acknowledged is there after the restart, and every node starts again.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { NodeProcesses } from '../support/node-processes.test-support.ts';
import { call } from '../support/shoal-process.test-support.ts';

let nodes: NodeProcesses;
afterEach(() => nodes?.destroy());

const ROUNDS = 4;
const WRITES_BEFORE_KILL = [15, 60, 3, 120];
const IDS_A_BULK = 20;

describe('a node killed in the middle of writes', () => {
  test('comes back with every acknowledged document, alone', async () => {
    nodes = await NodeProcesses.plan(['only']);
    nodes.start('only');
    await nodes.waitForGreen('only');
    await call(nodes.url('only'), 'PUT', '/acked', { settings: { number_of_shards: 2, number_of_replicas: 0 } });
    const acked = new Set<string>();

    for (let round = 0; round < ROUNDS; round++) {
      let written = 0;
      const writers = [0, 1, 2].map(async (writer) => {
        for (let i = 0; ; i++) {
          const ids = Array.from({ length: IDS_A_BULK }, (_, k) => `${round}-${writer}-${i}-${k}`);
          const body = ids.map((id) => `{"index":{"_id":"${id}"}}\n{"text":"word ${id}","n":${i}}\n`).join('');
          const answer = await call(nodes.url('only'), 'POST', '/acked/_bulk', body).catch(() => null);
          if (answer === null) return;
          for (const item of answer.body.items) if (item.index.status < 300) acked.add(item.index._id);
          written += 1;
          if (written === WRITES_BEFORE_KILL[round]) await nodes.kill('only');
        }
      });
      await Promise.all(writers);
      nodes.start('only');
      await nodes.waitForGreen('only');
      const { body } = await call(nodes.url('only'), 'POST', '/acked/_mget', { ids: [...acked] });
      expect(body.docs.filter((doc: { found: boolean }) => !doc.found)).toEqual([]);
    }
    expect(acked.size).toBeGreaterThan(1_000);
    await call(nodes.url('only'), 'POST', '/acked/_refresh');
    const { body } = await call(nodes.url('only'), 'GET', '/acked/_count');
    // A write whose answer was lost may be there too: never fewer than were acknowledged.
    expect(body.count).toBeGreaterThanOrEqual(acked.size);
  });

  test('leaves shards without replicas unassigned and the cluster red, and brings them back', async () => {
    nodes = await NodeProcesses.plan(['a', 'b', 'c']);
    nodes.startAll();
    await nodes.waitForGreen('a');
    await call(nodes.url('a'), 'PUT', '/spread', { settings: { number_of_shards: 3, number_of_replicas: 0 } });
    await nodes.waitForGreen('a');
    const lines = Array.from({ length: 300 }, (_, n) => `{"index":{"_id":"${n}"}}\n{"n":${n}}\n`).join('');
    expect((await call(nodes.url('b'), 'POST', '/spread/_bulk?refresh=true', lines)).body.errors).toBe(false);

    await nodes.kill('c');
    await nodes.waitFor(
      'a',
      '/_cluster/health?timeout=1s',
      (answer) => answer.body?.status === 'red' && answer.body.number_of_nodes === 2,
    );
    const partial = await call(nodes.url('a'), 'GET', '/spread/_search?size=0');
    expect(partial.status).toBe(200);
    expect(partial.body._shards).toMatchObject({ total: 3, successful: 2, failed: 1 });
    const explained = await call(nodes.url('a'), 'GET', '/_cluster/allocation/explain');
    expect(explained.body).toMatchObject({
      index: 'spread',
      primary: true,
      current_state: 'unassigned',
      unassigned_info: { reason: 'NODE_LEFT' },
    });

    nodes.start('c');
    await nodes.waitForGreen('a');
    // A node learns of the newest state a moment after the cluster manager: it is asked what it knows itself.
    await nodes.waitFor('c', '/_cluster/health?local=true', (answer) => answer.body?.status === 'green');
    expect((await call(nodes.url('c'), 'GET', '/spread/_count')).body.count).toBe(300);
  });

  test('a second process on its data folder refuses to start', async () => {
    nodes = await NodeProcesses.plan(['first', 'second']);
    nodes.start('first');
    await nodes.waitFor('first', '/', (answer) => answer.status === 200);
    nodes.start('second', ['--data', nodes.dataPath('first')]);
    expect(await nodes.exitOf('second')).not.toBe(0);
    expect(nodes.log('second')).toMatch(/failed to obtain node lock/);
  });
});
