/**
 * How a command that runs until it is told to end is told: a signal, or the end of whoever started it.
 */
import { untilStarterEnds } from './parent-watch.ts';

export interface EndOptions {
  /** End with the process that started this one, as what a test starts must. */
  readonly withStarter: boolean;
}

/** Resolves at the first Ctrl-C, SIGTERM, closing of the terminal, or end of the starter. */
export function untilEnded({ withStarter }: EndOptions): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
    if (!withStarter) return;
    // Who reads the output may end first; what is still written then must not end this process before it has cleaned up.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
    const endBecause = (reason: string): void => {
      process.stderr.write(`shoal: ${reason}, so this ends too; --outlive-parent keeps it running\n`);
      resolve();
    };
    void untilStarterEnds().then(endBecause);
    // A parent that keeps a channel to this process says so sooner.
    process.once('disconnect', () => endBecause('the process that started this one closed its channel'));
  });
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
