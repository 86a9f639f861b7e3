/**
 * A node for the tests of a file of `node --test`, its own or one of the run.
 */
import { after, before, beforeEach } from 'node:test';
import { type FileHooks, type ShoalOfFile, shoalByHooks, shoalOfRunByHooks } from './file-hooks.ts';
import type { ShoalOfRun } from './leased-node.ts';
import type { RunnerOptions } from './prepared-node.ts';

const HOOKS: FileHooks = { beforeAll: before, beforeEach, afterAll: after };

/** Starts a node for the tests of this file or suite, which each begin in the same state. Ends it after them. */
export function useShoal(options: RunnerOptions = {}): ShoalOfFile {
  return shoalByHooks(HOOKS, options);
}

/** Has a node of the run for the tests of this file or suite, which each begin in the same state. */
export function useShoalOfRun(): ShoalOfRun {
  return shoalOfRunByHooks(HOOKS);
}
