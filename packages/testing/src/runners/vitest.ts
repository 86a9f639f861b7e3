/**
 * The door of `shoal/testing/vitest`.
 */

export type { ShoalOfRun } from './leased-node.ts';
export type { RunnerOptions } from './prepared-node.ts';
export { type ShoalRun, shoalRun } from './shoal-run.ts';
export {
  type FileOfTests,
  type ShoalContext,
  type ShoalFixtures,
  shoalFixtures,
  shoalOfRunFixtures,
  type UseFixture,
} from './vitest-fixtures.ts';
