/**
 * A node for the tests of a file, over the hooks of any runner: before all tests, before each of them, after all.
 */
import type { ShoalNode } from '../start/shoal-node.ts';
import { LeasedNode, type ShoalOfRun } from './leased-node.ts';
import { PreparedNode, type RunnerOptions } from './prepared-node.ts';

/** The node of a file, there as soon as its first hook or test runs. */
export interface ShoalOfFile {
  readonly node: ShoalNode;
}

export interface FileHooks {
  readonly beforeAll: (hook: () => Promise<void>) => void;
  readonly beforeEach: (hook: () => Promise<void>) => void;
  readonly afterAll: (hook: () => Promise<void>) => void;
}

export function shoalByHooks(hooks: FileHooks, options: RunnerOptions): ShoalOfFile {
  const prepared = held(hooks, {
    start: () => PreparedNode.start(options),
    end: (node) => node.close(),
  });
  return {
    get node() {
      return prepared().node;
    },
  };
}

export function shoalOfRunByHooks(hooks: FileHooks): ShoalOfRun {
  const leased = held(hooks, { start: () => LeasedNode.lease(), end: (node) => node.release() });
  return {
    get url() {
      return leased().url;
    },
  };
}

interface Life<T> {
  readonly start: () => Promise<T>;
  readonly end: (value: T) => Promise<void>;
}

function held<T extends { beginTest(): Promise<void> }>(hooks: FileHooks, { start, end }: Life<T>): () => T {
  let current: T | null = null;
  const present = (): T => {
    if (current === null) throw new Error('there is no node before the hooks of the file run, nor after its tests');
    return current;
  };
  hooks.beforeAll(async () => {
    current = await start();
  });
  hooks.beforeEach(() => present().beginTest());
  hooks.afterAll(async () => {
    const ending = current;
    current = null;
    // There is none where it did not start.
    if (ending !== null) await end(ending);
  });
  return present;
}
