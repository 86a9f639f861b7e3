/**
 * Processes that live seeds for `npm run sim`: one life at a time each, since a life stands in front of methods of the product.
 */
import { fork } from 'node:child_process';
import { drawPlanOf, type LifeSpan } from './drawn-long-plan.test-support.ts';
import { type LifeOutcome, type Live, outcomeOf } from './life-outcome.test-support.ts';
import type { SimWorker } from './sim-command.test-support.ts';
import { violationReport } from './violation-report.test-support.ts';

/** Argument of a process that is a worker. */
export const WORKER_ARGUMENT = '--is-worker';

/** Lives are short and go through most of the product: optimized code pays off later than the engine expects of a server. */
const ENGINE_OPTIONS = ['--interrupt-budget=1000000'];

interface Order {
  readonly seed: number;
  readonly span: LifeSpan;
  readonly shrink: boolean;
}

/** @param program the file that calls `serveLives` when it has the argument of a worker */
export function startSimWorker(program: string, { shrink, span }: Omit<Order, 'seed'>): SimWorker {
  const start = () => fork(program, [WORKER_ARGUMENT], { execArgv: ENGINE_OPTIONS, serialization: 'advanced' });
  let child = start();
  return {
    live: (seed) =>
      new Promise((resolve) => {
        const ended = (code: number | null, signal: string | null): void => {
          child.off('message', told);
          child = start();
          const report = violationReport(drawPlanOf({ seed, span }), `its process ended with ${signal ?? code}`);
          resolve({ kind: 'violated', report });
        };
        // Sent by `serveLives`, which answers each order with one outcome.
        const told = (outcome: unknown): void => {
          child.off('exit', ended);
          resolve(outcome as LifeOutcome);
        };
        child.once('exit', ended);
        child.once('message', told);
        child.send({ seed, span, shrink } satisfies Order);
      }),
    end: () => {
      child.removeAllListeners();
      child.kill();
    },
  };
}

/** Lives what the parent process orders, until that process is gone. */
export function serveLives(live: Live): void {
  process.on('disconnect', () => process.exit());
  process.on('message', (order) => {
    // Sent by `startSimWorker`.
    const { seed, span, shrink } = order as Order;
    const outcome = outcomeOf(live, drawPlanOf({ seed, span }), { onLogLine: undefined, shrink });
    // One that cannot be found out is told by the end of the process.
    void outcome.then((told) => process.send?.(told));
  });
}
