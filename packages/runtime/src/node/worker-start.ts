/**
 * What the owner of a worker thread hands it at its start (`workerData`): where its code, its disk and its log are.
 */
import type { MessagePort } from 'node:worker_threads';

export interface WorkerStart {
  /** URL of a module that exports `start(port, runtime)`. */
  readonly module: string;
  /** Root of the disk that the thread's runtime gets. */
  readonly diskRoot: string;
  /** Folder with files that users give the node; null: there is none. */
  readonly configRoot: string | null;
  /** Log lines leave the thread through it. */
  readonly logPort: MessagePort;
}
