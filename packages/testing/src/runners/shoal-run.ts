/**
 * Nodes for a whole run of tests, for the global set-up of a runner. Its processes find them by a variable of the environment, which every
 * runner hands on to the processes that it starts.
 */
import { NodeRun } from './node-run.ts';
import type { RunnerOptions } from './prepared-node.ts';
import { RUN_VARIABLE } from './run-protocol.ts';

export interface ShoalRun {
  /** The global set-up. A runner that watches may call it again. */
  readonly start: () => Promise<void>;
  /** The global tear-down. */
  readonly stop: () => Promise<void>;
}

export function shoalRun(options: RunnerOptions = {}): ShoalRun {
  let running: NodeRun | null = null;
  const stop = async (): Promise<void> => {
    const ending = running;
    running = null;
    if (ending === null) return;
    if (process.env[RUN_VARIABLE] === String(ending.port)) delete process.env[RUN_VARIABLE];
    await ending.close();
  };
  const start = async (): Promise<void> => {
    await stop();
    running = await NodeRun.start(options);
    process.env[RUN_VARIABLE] = String(running.port);
  };
  return { start, stop };
}
