/**
 * The door of `shoal/testing/mocha`.
 */

export type { ShoalOfFile } from './file-hooks.ts';
export type { ShoalOfRun } from './leased-node.ts';
export { useShoal, useShoalOfRun } from './mocha-hooks.ts';
export type { RunnerOptions } from './prepared-node.ts';
export { type ShoalRun, shoalRun } from './shoal-run.ts';
