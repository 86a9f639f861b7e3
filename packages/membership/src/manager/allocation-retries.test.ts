import type { ClusterState, ShardRouting } from '@shoal/cluster-state';
import { createWorld } from '@shoal/simulation';
import { expect, test } from 'vitest';
import { AllocationRetries } from './allocation-retries.ts';

function waiting(info: Partial<NonNullable<ShardRouting['unassigned']>>): ShardRouting {
  return {
    index: 'lib',
    indexUuid: 'u',
    shard: 0,
    isPrimary: false,
    state: 'UNASSIGNED',
    nodeId: null,
    relocatingNodeId: null,
    allocationId: null,
    recoverySource: 'PEER',
    unassigned: {
      reason: 'NODE_LEFT',
      atMs: 0,
      failedAllocations: 0,
      details: null,
      allocationStatus: 'no_attempt',
      lastNodeId: 'n1',
      ...info,
    },
  };
}

test('each copy that waits has its own time, however long another waits', async () => {
  const world = createWorld({ seed: 1 });
  const { runtime } = world.node('n1');
  const beginMs = runtime.clock.wallMs();
  const copies = [
    waiting({ atMs: beginMs, allocationStatus: 'delayed_allocation' }),
    waiting({ atMs: beginMs, reason: 'ALLOCATION_FAILED', failedAllocations: 1 }),
  ];
  // What decides a wait, and nothing else of a state.
  const state = {
    metadata: { indices: new Map([['lib', { settings: {} }]]) },
    routing: { version: 1, indices: new Map([['lib', [copies]]]) },
  } as unknown as ClusterState;
  const retriedMs: number[] = [];
  const retries = new AllocationRetries(runtime, () => retriedMs.push(runtime.clock.wallMs() - beginMs));
  retries.update(state);
  await world.run(world.nowMs + 120_000);
  expect(retriedMs.map((ms) => Math.round(ms))).toEqual([500, 60_000]);
  retries.update(null);
});
