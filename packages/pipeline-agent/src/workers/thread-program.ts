/**
 * Where the program of a thread of pipelines is, and what the threads are called. Apart from the program itself, so that a
 * process can start the first of them before it has taken in what runs pipelines.
 */

export const THREAD_PROGRAM: URL = new URL('./pipeline-thread.ts', import.meta.url);

/** @param number of the thread, in the order of their starts; from 0 */
export function threadName(number: number): string {
  return `pipelines${number}`;
}
