/**
 * A node whose process is stopped keeps its connections and says nothing: whoever asks all nodes is told of the others, and of the one that
 * did not answer.
 */
import { afterEach, expect, test } from 'vitest';
import { NodeProcesses } from '../support/node-processes.test-support.ts';
import { call } from '../support/shoal-process.test-support.ts';

let nodes: NodeProcesses;
afterEach(() => nodes?.destroy());

const NAMES = ['a', 'b', 'c'];
const SHARDS = 3;
const COPIES = 2 * SHARDS;
/** The cluster manager does without a silent node after some eight seconds, not after half a minute. */
const QUICK_CHECKS = [
  ...['--set', 'cluster.fault_detection.follower_check.timeout=2s'],
  ...['--set', 'cluster.fault_detection.follower_check.interval=1s'],
];

interface Paused {
  readonly asked: string;
  readonly id: string;
  /** Copies of shards on the paused node. */
  readonly copies: number;
}

/** One replica of each shard; a node that is not the cluster manager is stopped. */
async function pauseOne(): Promise<Paused> {
  nodes = await NodeProcesses.plan(NAMES);
  for (const name of NAMES) nodes.start(name, QUICK_CHECKS);
  await nodes.waitForGreen('a');
  await call(nodes.url('a'), 'PUT', '/i', { settings: { number_of_shards: SHARDS, number_of_replicas: 1 } });
  await nodes.waitForGreen('a');
  // Copies that were placed one by one may be moved at once: while one moves there are more than are counted here.
  await nodes.waitFor(
    'a',
    '/_cluster/health?wait_for_no_relocating_shards=true&timeout=2s',
    ({ status }) => status === 200,
  );
  const [{ node: manager }] = (await call(nodes.url('a'), 'GET', '/_cat/master?format=json')).body;
  const [paused = '', asked = ''] = NAMES.filter((name) => name !== manager);
  const { body } = await call(nodes.url(asked), 'GET', `/_nodes/${paused}`);
  const shards = (await call(nodes.url(asked), 'GET', '/_cat/shards/i?format=json')).body;
  nodes.pause(paused);
  return {
    asked,
    id: Object.keys(body.nodes)[0] ?? '',
    copies: shards.filter(({ node }: { node: string }) => node === paused).length,
  };
}

test('a node that is stopped fails the question when its timeout is over', async () => {
  const { asked, id } = await pauseOne();
  const ask = async (path: string) => (await call(nodes.url(asked), 'GET', `${path}?timeout=1s`)).body;
  // One after the other: a busy machine may keep the others, too, from answering many at once in time.
  for (const path of ['/_nodes', '/_nodes/stats', '/_nodes/usage', '/_cluster/stats', '/_tasks']) {
    const body = await ask(path);
    const failures: readonly { node_id: string; caused_by: { type: string } }[] =
      body.node_failures ?? body._nodes.failures;
    const failure = failures.find(({ node_id }) => node_id === id);
    expect(failure?.caused_by.type, path).toBe('receive_timeout_transport_exception');
  }
});

test('the other nodes answer, and what the stopped one has is counted as failed', async () => {
  const { asked, id, copies } = await pauseOne();
  const ask = async (path: string) => (await call(nodes.url(asked), 'GET', path)).body;
  const [recovery, recoveryTable, stats, segments, tasks, tasksTable, info, stores, shards] = await Promise.all(
    [
      ...['/i/_recovery', '/_cat/recovery/i?format=json', '/i/_stats', '/i/_segments', '/_tasks'],
      ...['/_cat/tasks?format=json', '/_nodes', '/i/_shard_stores?status=all', '/_cat/shards/i?format=json'],
    ].map(ask),
  );
  const header = { total: COPIES, successful: COPIES - copies, failed: copies };
  expect(stats._shards).toMatchObject(header);
  expect(segments._shards).toMatchObject(header);
  expect(recovery.i.shards).toHaveLength(COPIES - copies);
  expect(recoveryTable).toHaveLength(COPIES - copies);
  expect(tasks.node_failures).toMatchObject([{ node_id: id }]);
  expect(Object.keys(tasks.nodes)).toHaveLength(NAMES.length - 1);
  expect(tasksTable.map((row: { task_id: string }) => row.task_id.split(':')[0])).not.toContain(id);
  expect(info._nodes).toMatchObject({ total: NAMES.length, successful: NAMES.length - 1, failed: 1 });
  expect(stores.failures).toHaveLength(SHARDS);
  expect(shards).toHaveLength(COPIES);
});
