/**
 * The door of `shoal/testing/node-test`.
 */

export type { ShoalOfFile } from './file-hooks.ts';
export type { ShoalOfRun } from './leased-node.ts';
export { useShoal, useShoalOfRun } from './node-test-hooks.ts';
export type { RunnerOptions } from './prepared-node.ts';
export { type ShoalRun, shoalRun } from './shoal-run.ts';
