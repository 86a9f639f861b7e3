/**
 * Starts the first thread of an agent's pipelines, which takes in its code while the main thread takes in its own. Loaded before
 * anything else of an agent: it must import next to nothing.
 */
import { THREAD_PROGRAM, threadName } from '@shoal/pipeline-agent';
import { SpareWorker } from '@shoal/runtime';

/** Words with which `shoal agent` runs no pipeline, or runs them in the main thread. */
const WITHOUT_THREADS: readonly string[] = ['test', '-h', '--help', '-t', '--config.test_and_exit'];

let firstThread: SpareWorker | null = null;

/** @param args behind `shoal agent` */
export function startFirstThread(args: readonly string[]): void {
  if (args.some((word) => WITHOUT_THREADS.includes(word))) return;
  // The options of the runtime that `runAgent` makes.
  const options = { diskRoot: process.cwd(), configRoot: null, heapBytesMax: null };
  firstThread = new SpareWorker(THREAD_PROGRAM, threadName(0), options);
}

/** null: none was started. */
export function startedFirstThread(): SpareWorker | null {
  return firstThread;
}
