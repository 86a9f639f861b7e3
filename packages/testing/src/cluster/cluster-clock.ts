/**
 * The time of day of a simulated cluster.
 *
 * A cluster has much to do every second, so that months of it would take hours: `set` puts the clocks of all machines forward without
 * living through the time between, as when a person sets them. What compares ages of days by these clocks finds them passed.
 */
import type { ShoalClock } from '../values/shoal-clock.ts';
import { instantOf, millisOf } from '../values/time-span.ts';
import type { NodeSurroundings, RunningNode } from './cluster-node.ts';

/** Time of day at which every simulated world begins. */
const EPOCH_MS = Date.UTC(2024, 0, 1);
/** The end of a jump is lived through: policies and lifecycles are looked at every ten minutes, and come to their turn in it. */
const LIVED_MS_MAX = 15 * 60_000;

export function clusterClock({ world, driver }: NodeSurroundings, nodes: readonly RunningNode[]): ShoalClock {
  let jumpedMs = 0;
  const now = (): number => EPOCH_MS + world.nowMs + jumpedMs;
  const jump = (ms: number): void => {
    jumpedMs += ms;
    for (const { name } of nodes) world.node(name).jumpWallClock(ms);
  };
  const forward = async (ms: number): Promise<void> => {
    const livedMs = Math.min(ms, LIVED_MS_MAX);
    jump(ms - livedMs);
    await driver.advance(livedMs);
  };
  return {
    now,
    advance: (by) => forward(millisOf(by)),
    set: async (to) => {
      const ms = instantOf(to) - now();
      if (ms < 0) jump(ms);
      else await forward(ms);
    },
  };
}
