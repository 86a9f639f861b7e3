/**
 * The time of day of a simulated cluster.
 *
 * A cluster has much to do every second, so that a day of it takes a minute: `advance` lives through all of it, and refuses what would
 * take too long. `set` puts the clocks of all machines forward without living through the time between, as when a person sets them. What
 * compares ages of days by these clocks finds them passed; what waits for a span of time waits as before.
 */
import type { ShoalClock } from '../values/shoal-clock.ts';
import { instantOf, millisOf } from '../values/time-span.ts';
import type { NodeSurroundings, RunningNode } from './cluster-node.ts';

/** Time of day at which every simulated world begins. */
const EPOCH_MS = Date.UTC(2024, 0, 1);
/** Longest time that is lived through at once: about twenty seconds of a processor for three nodes. */
const LIVED_MS_MAX = 6 * 60 * 60_000;
/** After clocks were put forward so much is lived through: policies and lifecycles are looked at every ten minutes. */
const LIVED_AFTER_SET_MS = 15 * 60_000;

export function clusterClock({ world, driver }: NodeSurroundings, nodes: readonly RunningNode[]): ShoalClock {
  let jumpedMs = 0;
  const now = (): number => EPOCH_MS + world.nowMs + jumpedMs;
  const jump = (ms: number): void => {
    jumpedMs += ms;
    for (const { name } of nodes) world.node(name).jumpWallClock(ms);
  };
  return {
    now,
    advance: async (by) => {
      const ms = millisOf(by);
      if (ms > LIVED_MS_MAX) {
        throw new RangeError(
          `a cluster lives through at most 6h at once, and not [${by}]: clock.set(time) puts the clocks of its machines forward`,
        );
      }
      await driver.advance(ms);
    },
    set: async (to) => {
      const ms = instantOf(to) - now();
      const livedMs = Math.max(0, Math.min(ms, LIVED_AFTER_SET_MS));
      jump(ms - livedMs);
      await driver.advance(livedMs);
    },
  };
}
