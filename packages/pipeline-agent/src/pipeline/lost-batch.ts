/**
 * What becomes of a batch over which workers ended again and again: each of its events is dead-lettered, or dropped and counted.
 */
import { readChunk } from '@shoal/agent-event';
import type { QueuedBatch } from '@shoal/agent-queue';
import type { WriteDeadLetter } from '../delivery/single-instance-outputs.ts';
import type { PipelineStats } from '../statistics/pipeline-stats.ts';

/** Stands for a plugin where a worker ended in none. */
export const WORKER_ID = 'worker';

/** @param failure index of the plugin in which the workers ended, -1 for none */
export async function accountForLost(
  batch: QueuedBatch,
  { plugin, reason }: { readonly plugin: number; readonly reason: string },
  stats: PipelineStats,
  writeDeadLetter: WriteDeadLetter,
): Promise<void> {
  const plan = stats.worker(plugin)?.plan;
  const [pluginType, pluginId] = [plan?.name ?? WORKER_ID, plan?.id ?? WORKER_ID];
  let keptCount = 0;
  for (const event of batch.chunks.flatMap((chunk) => readChunk(chunk.bytes))) {
    const deadLetter = { event, pluginType, pluginId, reason: `workers ended over its batch: ${reason}` };
    if (await writeDeadLetter(deadLetter)) keptCount++;
  }
  stats.deadLettered += keptCount;
  if (keptCount < batch.count) stats.drop(pluginId, batch.count - keptCount);
}
