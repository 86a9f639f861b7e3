import { createEmbeddedRuntime, createSilentLog } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { type NodeOptions, startDataNode } from './start-node.ts';

const ELECTED_MS_MAX = 30_000;

/** Files that a node has written of the cluster once it has a cluster manager. */
async function stateFiles(
  optionsOn: (disk: ReturnType<typeof createEmbeddedRuntime>['disk']) => NodeOptions,
): Promise<readonly string[]> {
  const { runtime, disk, time } = createEmbeddedRuntime({ log: createSilentLog() });
  const release = time.hold();
  const node = await startDataNode(
    runtime,
    { 'discovery.type': 'single-node' },
    { httpPort: null, reserveBytes: 0, ...optionsOn(disk) },
  );
  try {
    await node.cluster.waitForState(({ clusterManagerId }) => clusterManagerId !== null, ELECTED_MS_MAX);
    return [...disk.imageOf('_state').files.keys()];
  } finally {
    await node.close();
    release();
  }
}

test('a node whose disk is saved and returned to by its owner writes nothing of the cluster to it', async () => {
  expect(await stateFiles((memoryDisk) => ({ memoryDisk }))).toEqual([]);
});

test('a node that may be started again on its disk writes the cluster state there', async () => {
  expect((await stateFiles(() => ({}))).filter((name) => /coord-\d+\.log$/.test(name))).toHaveLength(1);
});
