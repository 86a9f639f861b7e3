import { emptyClusterState, type RoutingChanges } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import type { ProposalResult } from '@shoal/consensus';
import { ShoalError } from '@shoal/core';
import { PENDING_TASKS_MAX } from '@shoal/protocol';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import type { CoordinationBackend } from '../service/coordination-backend.ts';
import { type ManagerTask, ManagerTaskQueue, TASK_PRIORITY, type TaskPriority } from './manager-task-queue.ts';

const COMMITTED: ProposalResult = { kind: 'committed', allApplied: true };

/** Holds each publication until the test lets it end. */
class HeldBackend implements CoordinationBackend {
  readonly isLeader = true;
  readonly ends: ((result: ProposalResult) => void)[] = [];
  readonly made: ClusterState[] = [];
  #proposed: (() => void) | null = null;

  propose(_source: string, update: (state: ClusterState) => ClusterState): Promise<ProposalResult> {
    this.made.push(update(emptyClusterState('c')));
    this.#proposed?.();
    return new Promise((resolve) => this.ends.push(resolve));
  }

  nextProposal(): Promise<void> {
    return new Promise((resolve) => {
      this.#proposed = resolve;
    });
  }

  start = async (): Promise<void> => undefined;
  handOver = (): void => undefined;
  stop = async (): Promise<void> => undefined;
  diagnose = (): never => {
    throw new Error('not asked here');
  };
}

function heldQueue() {
  const clock = { ms: 1_000 };
  const runtime = createNodeRuntime({ log: createSilentLog() });
  const backend = new HeldBackend();
  const monotonicMs = () => clock.ms;
  return {
    clock,
    backend,
    queue: new ManagerTaskQueue({ ...runtime, clock: { ...runtime.clock, monotonicMs } }, backend),
  };
}

function task(source: string, priority: TaskPriority): ManagerTask {
  return { source, priority, queueTimeoutMs: 60_000, update: (state) => state };
}

describe('the queue of the cluster manager', () => {
  test('shows what runs, then what waits by its turn, and nothing when all is done', async () => {
    const { clock, backend, queue } = heldQueue();
    expect(queue.pending()).toEqual([]);
    const first = backend.nextProposal();
    const done = [queue.submit(task('shard-started', TASK_PRIORITY.normal))];
    await first;
    clock.ms += 50;
    done.push(queue.submit(task('put-mapping [b]', TASK_PRIORITY.high)));
    done.push(queue.submit(task('create-index [a]', TASK_PRIORITY.urgent)));
    clock.ms += 36;
    const waiting = { executing: false, timeInQueueMillis: 36 };
    expect(queue.pending()).toEqual([
      { insertOrder: 1, priority: 'normal', source: 'shard-started', executing: true, timeInQueueMillis: 86 },
      { insertOrder: 3, priority: 'urgent', source: 'create-index [a]', ...waiting },
      { insertOrder: 2, priority: 'high', source: 'put-mapping [b]', ...waiting },
    ]);
    const second = backend.nextProposal();
    backend.ends.shift()?.(COMMITTED);
    await second;
    expect(queue.pending().map(({ executing }) => executing)).toEqual([true, true]);
    backend.ends.shift()?.(COMMITTED);
    await Promise.all(done);
    expect(queue.pending()).toEqual([]);
  });

  test('settles once what many tasks of one state changed, and not what none changed', async () => {
    const { backend, queue } = heldQueue();
    let settled = 0;
    const settle = (state: ClusterState): ClusterState => {
      settled++;
      return { ...state, clusterName: `${state.clusterName} settled` };
    };
    const named = (name: string): ManagerTask => ({
      ...task(name, TASK_PRIORITY.normal),
      update: (state) => ({ ...state, clusterName: `${state.clusterName} ${name}` }),
      settle,
    });
    const first = backend.nextProposal();
    const done = [queue.submit(named('x')), queue.submit(named('y'))];
    await first;
    expect(backend.made.map(({ clusterName }) => clusterName)).toEqual(['c x y settled']);
    const second = backend.nextProposal();
    done.push(queue.submit({ ...task('late', TASK_PRIORITY.normal), settle }));
    backend.ends.shift()?.(COMMITTED);
    await second;
    backend.ends.shift()?.(COMMITTED);
    await Promise.all(done);
    expect(settled).toBe(1);
  });

  test('makes changes of routing together up to the next other task, and an error of one is its own alone', async () => {
    const { backend, queue } = heldQueue();
    const seen: RoutingChanges[] = [];
    const routing = (fails: boolean): ManagerTask => ({
      source: 'shard-started',
      priority: TASK_PRIORITY.normal,
      queueTimeoutMs: 60_000,
      route: (changes) => {
        seen.push(changes);
        if (fails) throw new ShoalError('no_longer_primary_shard_exception', 500, 'late');
      },
    });
    const first = backend.nextProposal();
    const done = [queue.submit(routing(false)), queue.submit(routing(true)), queue.submit(routing(false))];
    done.push(queue.submit(task('other', TASK_PRIORITY.normal)), queue.submit(routing(false)));
    const ends = Promise.allSettled(done);
    await first;
    expect(seen.map((changes) => seen.indexOf(changes))).toEqual([0, 0, 0, 3]);
    backend.ends.shift()?.(COMMITTED);
    expect((await ends).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
  });

  test('shows no more than fits a message', async () => {
    const { backend, queue } = heldQueue();
    const proposed = backend.nextProposal();
    const all = Array.from({ length: PENDING_TASKS_MAX + 1 }, () => queue.submit(task('x', TASK_PRIORITY.normal)));
    expect(queue.pending()).toHaveLength(PENDING_TASKS_MAX);
    await proposed;
    while (queue.pending().length > 0) {
      const next = backend.nextProposal();
      backend.ends.shift()?.(COMMITTED);
      await Promise.race([next, Promise.all(all)]);
    }
    expect(await Promise.all(all)).toHaveLength(PENDING_TASKS_MAX + 1);
  });
});
