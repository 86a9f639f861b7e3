/**
 * No process outlives the tests that started it, whatever becomes of them: a failed set-up runs no clean-up of its own.
 */
import type { ChildProcess } from 'node:child_process';

/** A child that is still there when this process ends is ended with it. Tests end theirs themselves; this is the net below. */
export function endWithTests(child: ChildProcess): void {
  const end = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', end);
  child.once('exit', () => process.removeListener('exit', end));
}
