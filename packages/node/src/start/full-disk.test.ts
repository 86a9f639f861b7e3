/** A node that starts on a full disk: its shards wait for room, and open when there is some. */
import { createNodeRuntime, createRecordingLog, DiskError, type Runtime } from '@shoal/runtime';
import { afterEach, expect, test } from 'vitest';
import { call, TestCluster } from './node-cluster.test-support.ts';

const cluster = new TestCluster();

afterEach(() => cluster.close());

/** Refuses new files in the folders of shards until it is told that there is room. */
function fillDisk({ disk }: Runtime): () => void {
  const open = disk.open.bind(disk);
  let isFull = true;
  disk.open = async (path, mode) => {
    if (isFull && path.includes('indices/') && mode !== 'read') {
      throw new DiskError('full', path, `${path}: no space left on device`);
    }
    return open(path, mode);
  };
  return () => {
    isFull = false;
  };
}

test('a shard that finds no room to open uses up none of its attempts', { timeout: 60_000 }, async () => {
  const log = createRecordingLog();
  const runtime = createNodeRuntime({ log });
  const first = await cluster.start('one', { runtime });
  const settings = { number_of_shards: 1, number_of_replicas: 0, 'index.allocation.max_retries': 1 };
  await call(first, 'PUT', '/books', { settings });
  await call(first, 'PUT', '/books/_doc/1?refresh=true', { title: 'kept' });
  await first.node.close();

  const makeRoom = fillDisk(runtime);
  const second = await cluster.start('one', { runtime });
  const waits = () => log.lines.filter(({ message }) => message === 'no room to open a shard, tried again').length;
  await expect.poll(waits, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
  const rows = await call(second, 'GET', '/_cat/shards/books?h=state,ur&format=json');
  expect(rows.body).toMatchObject([{ state: 'INITIALIZING' }]);

  makeRoom();
  const health = await call(second, 'GET', '/_cluster/health?wait_for_status=green&timeout=30s');
  expect(health.body).toMatchObject({ status: 'green', timed_out: false });
  expect((await call(second, 'GET', '/books/_doc/1')).body._source).toEqual({ title: 'kept' });
});
