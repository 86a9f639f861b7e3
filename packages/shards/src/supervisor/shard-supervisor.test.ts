import type { ClusterState, ShardRouting } from '@shoal/cluster-state';
import type { ClusterService, StateChange } from '@shoal/membership';
import {
  createInlineWorkers,
  createMemoryDisk,
  createNodeRuntime,
  createRecordingLog,
  type Runtime,
} from '@shoal/runtime';
import { packOperations } from '@shoal/shard-api';
import { expect, test } from 'vitest';
import { ShardFolders } from '../folders/shard-folders.ts';
import { start } from '../worker/shard-worker.ts';
import { clusterState, indexMetadata, LOCAL_NODE, routing } from './cluster-states.test-support.ts';
import { ShardSupervisor } from './shard-supervisor.ts';

const FOLDER = 'data/indices/uuid-books/0';

const target = { index: 'books', indexUuid: 'uuid-books', shard: 0, allocationId: 'a1', stateVersion: 1 };

/** A node whose cluster state a test makes. */
class Node {
  readonly log = createRecordingLog();
  readonly supervisor: ShardSupervisor;
  readonly disk = createMemoryDisk();
  #state = clusterState({});
  #onApplied: (change: StateChange) => void = () => {};
  readonly #started: (() => void)[] = [];

  constructor() {
    const plain = createNodeRuntime({ log: this.log });
    const runtime: Runtime = { ...plain, disk: this.disk, workers: createInlineWorkers(() => runtime) };
    const cluster = {
      localNode: { id: LOCAL_NODE },
      state: () => this.#state,
      settings: () => ({}),
      onApplied: (listener: (change: StateChange) => void) => {
        this.#onApplied = listener;
        return () => {};
      },
      admin: { shardStarted: async () => this.#started.shift()?.() },
    } as unknown as ClusterService;
    this.supervisor = new ShardSupervisor(runtime, cluster, {
      folders: new ShardFolders(runtime.disk, 'data'),
      workerCount: 1,
      memoryBytesMax: 2 ** 26,
      requestCacheBytesMax: 0,
      requestBytesMax: 2 ** 26,
      parent: { limitBytes: 2 ** 30, usesRealMemory: false },
      silentMsMax: -1,
      refreshesBeforeSearch: false,
      program: start,
      restoreOf: () => {
        throw new Error('nothing is restored');
      },
    });
  }

  apply(state: ClusterState): void {
    const previous = this.#state;
    this.#state = state;
    this.#onApplied({ previous, state });
  }

  /** Resolves when the node says so. */
  async logged(wanted: string): Promise<void> {
    while (!this.log.lines.some(({ message }) => message === wanted)) await new Promise(setImmediate);
  }

  /** Resolves when the cluster manager hears that a shard started. */
  started(): Promise<void> {
    return new Promise((resolve) => this.#started.push(resolve));
  }
}

const stateOf = (version: number, primaryTerm: number, state: 'INITIALIZING' | 'STARTED'): ClusterState =>
  clusterState({
    version,
    indices: [indexMetadata({ version, primaryTerms: [primaryTerm] })],
    routings: [routing({ state })],
  });

test('a shard whose primary term grows stays open, and its writes have the new term from then on', async () => {
  const node = new Node();
  const started = node.started();
  node.apply(stateOf(2, 1, 'INITIALIZING'));
  await started;
  node.apply(stateOf(3, 1, 'STARTED'));
  const { shard, worker } = node.supervisor.find(target);
  const { bytes } = packOperations([]);
  const write = (primaryTerm: number): Promise<unknown> =>
    worker.write({
      key: shard.key,
      claim: { allocationId: 'a1', primaryTerm },
      operations: bytes.slice(),
      from: 0,
      activeCopiesMin: 0,
    });
  const before = write(1);
  node.apply(stateOf(4, 2, 'STARTED'));
  const after = write(2);
  expect(node.supervisor.find(target).shard).toBe(shard);
  expect(shard.primaryTerm).toBe(2);
  await Promise.all([before, after]);
  await expect(write(1)).rejects.toMatchObject({ type: 'shard_not_found_exception' });
  await node.supervisor.close();
  const messages = node.log.lines.map(({ message }) => message);
  expect(messages.filter((message) => message.startsWith('shard '))).toEqual(['shard open', 'shard closed']);
});

test('the folder of a copy goes when every copy of its shard has started elsewhere, and not before', async () => {
  const node = new Node();
  const started = node.started();
  node.apply(stateOf(2, 1, 'INITIALIZING'));
  await started;
  const elsewhere = (version: number, inSync: readonly string[], ...copies: readonly Partial<ShardRouting>[]): void => {
    const indices = [indexMetadata({ version, inSyncAllocations: [inSync] })];
    node.apply(clusterState({ version, indices, routings: copies.map((copy) => routing({ ...copy })) }));
  };
  const lead = { nodeId: 'n2', allocationId: 'a2', state: 'STARTED' } as const;
  const waits = { isPrimary: false, nodeId: 'n3', allocationId: 'a3', state: 'INITIALIZING' } as const;
  const removed = 'copy that is elsewhere removed';
  const hasGone = (): boolean => node.log.lines.some(({ message }) => message === removed);
  elsewhere(3, ['a2'], lead, waits);
  await node.logged('shard closed');
  // In sync: it may be asked for when the others are lost.
  elsewhere(4, ['a2', 'a1', 'a3'], lead, { ...waits, state: 'STARTED' });
  // Unseen by the copies, so that what came before is done: the steps of a shard run in order.
  elsewhere(5, ['a2'], lead, waits);
  expect(await node.disk.list(FOLDER)).not.toEqual([]);
  expect(hasGone()).toBe(false);
  elsewhere(6, ['a2', 'a3'], lead, { ...waits, state: 'STARTED' });
  await node.logged(removed);
  await expect(node.disk.list(FOLDER)).rejects.toMatchObject({ kind: 'notFound' });
  await node.supervisor.close();
});
