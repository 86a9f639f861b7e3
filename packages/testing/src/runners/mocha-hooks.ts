/**
 * A node for the tests of a file of mocha, its own or one of the run.
 */
import { type FileHooks, type ShoalOfFile, shoalByHooks, shoalOfRunByHooks } from './file-hooks.ts';
import type { ShoalOfRun } from './leased-node.ts';
import type { RunnerOptions } from './prepared-node.ts';

/** Longest time for a node to start, where files start theirs all at once. Mocha's own two seconds are for tests. */
const HOOK_MS_MAX = 60_000;

/** Interfaces of mocha: the names of their hooks. */
const HOOKS = [
  { all: 'before', each: 'beforeEach', end: 'after' },
  { all: 'suiteSetup', each: 'setup', end: 'suiteTeardown' },
] as const;

/** Starts a node for the tests of this file or suite, which each begin in the same state. Ends it after them. */
export function useShoal(options: RunnerOptions = {}): ShoalOfFile {
  return shoalByHooks(mochaHooks(), options);
}

/** Has a node of the run for the tests of this file or suite, which each begin in the same state. */
export function useShoalOfRun(): ShoalOfRun {
  return shoalOfRunByHooks(mochaHooks());
}

interface HookContext {
  timeout(ms: number): unknown;
}

function mochaHooks(): FileHooks {
  const names = HOOKS.find(({ all }) => typeof Reflect.get(globalThis, all) === 'function');
  if (names === undefined) throw new Error('mocha has no hooks here: call this in a file of tests');
  const register = (name: string) => (hook: () => Promise<void>) => {
    Reflect.get(
      globalThis,
      name,
    )(function (this: HookContext) {
      this.timeout(HOOK_MS_MAX);
      return hook();
    });
  };
  return { beforeAll: register(names.all), beforeEach: register(names.each), afterAll: register(names.end) };
}
