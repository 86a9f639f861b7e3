import type { ClusterState, RunningSnapshot } from '@shoal/cluster-state';
import type { ManagingClusterService, StateChange } from '@shoal/membership';
import type { Runtime } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { RepositoryLocks } from '../repository/repository-locks.ts';
import { clusterState, indexMetadata, LOCAL_NODE, routing } from '../supervisor/cluster-states.test-support.ts';
import { RunningSnapshots } from './running-snapshots.ts';

const SNAPSHOT: RunningSnapshot = {
  repository: 'backup',
  name: 'nightly',
  uuid: 'uuid-nightly',
  indices: ['books'],
  dataStreams: [],
  startMs: 0,
  isPartial: false,
  includesGlobalState: false,
  userMetadata: null,
  isAborted: false,
};

/** A snapshot of an index whose primary is still starting, in a repository without files. */
function stateWith(clusterManagerId: string | null, parts: Partial<RunningSnapshot> = {}): ClusterState {
  const state = clusterState({ indices: [indexMetadata()], routings: [routing()], clusterManagerId });
  const repository = { name: 'backup', type: 'fs', settings: { location: '/repos/backup' } };
  return {
    ...state,
    metadata: {
      ...state.metadata,
      repositories: new Map([['backup', repository]]),
      runningSnapshots: [{ ...SNAPSHOT, ...parts }],
    },
  };
}

/** A node that applies the states it is told, and notes what it would change as cluster manager. */
class ApplyingNode {
  readonly changes: string[] = [];
  readonly snapshots: RunningSnapshots;
  #state = stateWith(null);
  #listener: (change: StateChange) => void = () => undefined;
  #waiting: (() => void)[] = [];
  #timers: (() => void)[] = [];

  constructor() {
    const cluster = {
      localNode: { id: LOCAL_NODE },
      state: () => this.#state,
      onApplied: (listener: (change: StateChange) => void) => {
        this.#listener = listener;
      },
      waitForState: async (predicate: (state: ClusterState) => boolean) => {
        while (!predicate(this.#state)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
        return this.#state;
      },
      changeAsManager: async ({ source }: { source: string }) => {
        this.changes.push(source);
        return { acknowledged: true };
      },
    };
    const runtime = {
      disk: { list: async () => [] },
      sched: { after: (_: number, then: () => void) => this.#timers.push(then) },
      log: { error: () => undefined, warn: () => undefined },
    };
    this.snapshots = new RunningSnapshots({
      runtime: runtime as unknown as Runtime,
      cluster: cluster as unknown as ManagingClusterService,
      repoPaths: ['/repos'],
      locks: new RepositoryLocks(),
    });
  }

  apply(state: ClusterState): void {
    const before = this.#state;
    this.#state = state;
    this.#listener({ before, state } as unknown as StateChange);
    for (const look of this.#waiting.splice(0)) look();
  }

  /** All timers are due. */
  pass(): void {
    for (const due of this.#timers.splice(0)) due();
  }
}

/** Everything that does not wait for a state or a timer has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a snapshot on the cluster manager', () => {
  test('goes on, begun again, when the node loses its place and has it back at once', async () => {
    const node = new ApplyingNode();
    node.apply(stateWith(LOCAL_NODE));
    await settled();
    const first = node.snapshots.of(SNAPSHOT.uuid);
    expect(first?.shards).toMatchObject([{ index: 'books', stage: 'INIT' }]);

    node.apply(stateWith('node-2'));
    node.apply(stateWith(LOCAL_NODE));
    await settled();
    node.pass();
    await settled();

    expect(node.changes).toEqual([]);
    const second = node.snapshots.of(SNAPSHOT.uuid);
    expect(second?.shards).toMatchObject([{ index: 'books', stage: 'INIT' }]);
    expect(second).not.toBe(first);
  });

  test('is left to the next one', async () => {
    const node = new ApplyingNode();
    node.apply(stateWith(LOCAL_NODE));
    await settled();
    node.apply(stateWith('node-2'));
    await settled();
    expect(node.changes).toEqual([]);
    expect(node.snapshots.of(SNAPSHOT.uuid)).toBeNull();
  });

  test('ends in the state when it is given up', async () => {
    const node = new ApplyingNode();
    node.apply(stateWith(LOCAL_NODE));
    await settled();
    node.apply(stateWith(LOCAL_NODE, { isAborted: true }));
    await settled();
    expect(node.changes).toEqual(['remove_snapshot [backup:nightly]']);
  });
});
