/**
 * The real clock: the only file besides the command line that reads the time of the machine.
 */
import type { Clock } from '../interfaces/clock.ts';

export function createNodeClock(): Clock {
  return {
    monotonicMs: () => performance.now(),
    wallMs: () => Date.now(),
  };
}
