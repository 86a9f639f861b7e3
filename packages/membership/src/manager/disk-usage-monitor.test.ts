import type { ClusterState } from '@shoal/cluster-state';
import { createWorld } from '@shoal/simulation';
import { expect, test } from 'vitest';
import { DiskUsageMonitor } from './disk-usage-monitor.ts';

/** What the monitor reads of a state, and nothing else. */
function stateOf(settings: Readonly<Record<string, string>>): ClusterState {
  return {
    nodes: new Map([['n1', { id: 'n1', ephemeralId: 'e1', name: 'n1', roles: ['data'] }]]),
    metadata: { indices: new Map([['lib', { settings }]]) },
  } as unknown as ClusterState;
}

/** Times that allocation and blocks were to follow the disks, in a minute and a half of which no disk changes. */
async function followed(state: ClusterState): Promise<number> {
  const world = createWorld({ seed: 1 });
  let count = 0;
  const monitor = new DiskUsageMonitor(world.node('n1').runtime, {
    connection: () => {
      throw new Error('nobody is asked here');
    },
    settings: () => ({}),
    levels: () => new Map([['n1', 'fine']]),
    levelsChanged: () => {
      count += 1;
    },
  });
  monitor.update(state);
  await world.run(75_000);
  return count;
}

test('disks that stay as they are change nothing', async () => {
  expect(await followed(stateOf({}))).toBe(1);
});

test('an index that a full disk closed to writes is looked at each time: its copies may have come to a disk since', async () => {
  expect(await followed(stateOf({ 'index.blocks.read_only_allow_delete': 'true' }))).toBe(3);
});
