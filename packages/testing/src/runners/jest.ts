/**
 * The door of `shoal/testing/jest`.
 */
export { type JestEnvironment, type JestEnvironmentClass, withShoal, withShoalOfRun } from './jest-environments.ts';
export type { ShoalOfRun } from './leased-node.ts';
export type { RunnerOptions } from './prepared-node.ts';
export { type ShoalRun, shoalRun } from './shoal-run.ts';
