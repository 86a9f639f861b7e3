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

/** What decides a wait, and nothing else of a state. */
function stateOf(copies: readonly ShardRouting[]): ClusterState {
  return {
    metadata: { indices: new Map([['lib', { settings: {} }]]) },
    routing: { version: 1, indices: new Map([['lib', [copies]]]) },
  } as unknown as ClusterState;
}

function startRetries(isMade: () => boolean = () => true) {
  const world = createWorld({ seed: 1 });
  const { runtime } = world.node('n1');
  const beginMs = runtime.clock.wallMs();
  const retriedMs: number[] = [];
  const retries = new AllocationRetries(runtime, async () => {
    retriedMs.push(Math.round(runtime.clock.wallMs() - beginMs));
    return isMade();
  });
  return { world, beginMs, retriedMs, retries };
}

test('each copy that waits has its own time, however long another waits', async () => {
  const { world, beginMs, retriedMs, retries } = startRetries();
  const copies = [
    waiting({ atMs: beginMs, allocationStatus: 'delayed_allocation' }),
    waiting({ atMs: beginMs, reason: 'ALLOCATION_FAILED', failedAllocations: 1 }),
  ];
  retries.update(stateOf(copies));
  await world.run(world.nowMs + 120_000);
  expect(retriedMs).toEqual([500, 60_000]);
  retries.update(null);
});

test('a wait that is over when its state comes is asked for at once, and once however many states show it', async () => {
  const { world, beginMs, retriedMs, retries } = startRetries();
  const late = waiting({ atMs: beginMs - 2_000, reason: 'ALLOCATION_FAILED', failedAllocations: 1 });
  retries.update(stateOf([late]));
  await world.run(world.nowMs + 1_000);
  expect(retriedMs).toEqual([0]);
  retries.update(stateOf([late]));
  await world.run(world.nowMs + 1_000);
  expect(retriedMs).toEqual([0]);
  // The same copy, failed once more.
  retries.update(
    stateOf([{ ...late, ...waiting({ atMs: beginMs, reason: 'ALLOCATION_FAILED', failedAllocations: 2 }) }]),
  );
  await world.run(world.nowMs + 1_000);
  expect(retriedMs).toEqual([0, 2_000]);
  retries.update(null);
});

test('a reroute that was not made is asked for again', async () => {
  let made = 0;
  const { world, beginMs, retriedMs, retries } = startRetries(() => made++ > 0);
  retries.update(stateOf([waiting({ atMs: beginMs, reason: 'ALLOCATION_FAILED', failedAllocations: 1 })]));
  await world.run(world.nowMs + 10_000);
  expect(retriedMs).toEqual([500, 1_500]);
  retries.update(null);
});
