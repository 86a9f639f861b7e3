/**
 * The program of a thread that owns shards, for nodes whose workers run in the calling thread. Nodes with real threads never load it: the
 * engine is most of the code of a node, and each thread has its own copy of it.
 */
import { lazy } from '@shoal/core';
import type { WorkerProgram } from '@shoal/runtime';

/** Loaded once: whoever asks again waits for no module. */
export const loadShardProgram: () => Promise<WorkerProgram> = lazy(
  async () => (await import('./shard-worker.ts')).start,
);
