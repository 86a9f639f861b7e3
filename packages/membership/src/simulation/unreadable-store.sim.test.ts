/** A node whose disk could not be read when the cluster manager asked for its copies. */
import { expect, test } from 'vitest';
import { emptyIndex } from '../start/cluster-nodes.test-support.ts';
import { ClusterWorld } from './cluster-world.test-support.ts';

test('a primary is found again on a disk that could not be read when the cluster manager asked', async () => {
  const cluster = new ClusterWorld('unreadable', 3);
  const { world } = cluster;
  await cluster.startAll();
  await cluster.until(cluster.isWhole, 5_000);
  const [service] = cluster.services.values();
  await world.settle(service!.admin.createIndex(emptyIndex('lib', 1)));
  const [primary] = cluster.state('n1').routing.indices.get('lib')![0]!;
  const holder = cluster.names.find((name) => cluster.services.get(name)!.localNode.id === primary!.nodeId)!;
  cluster.crash(holder);
  world.node(holder).restart();
  let asked = 0;
  const listShardStores = async (): Promise<readonly (string | null)[]> => {
    asked += 1;
    return [asked === 1 ? null : primary!.allocationId];
  };
  await world.settle(cluster.start(holder, { listShardStores }));
  await cluster.until(cluster.isWhole, 60_000);
  expect(asked).toBe(2);
  expect(cluster.fatal).toEqual([]);
});
