/**
 * Stores of one pipeline: its queue in memory or on disk, and its dead letter queue, as its settings say.
 */
import { DeadLetterWriter, type EventChunk, type EventQueue, MemoryQueue, PersistedQueue } from '@shoal/agent-queue';
import { assert } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import type { PipelineSource } from '../sources/pipeline-source.ts';

/** null when the pipeline has no dead letter queue. */
export async function openDeadLetters(
  runtime: Runtime,
  { settings, id }: PipelineSource,
): Promise<DeadLetterWriter | null> {
  if (!settings.hasDeadLetters) return null;
  return DeadLetterWriter.open(runtime, {
    directory: `${settings.deadLetterPath}/${id}`,
    bytesMax: settings.deadLetterBytesMax,
    flushIntervalMs: settings.deadLetterFlushMs,
    storagePolicy: settings.deadLetterPolicy,
    retainAgeMs: settings.deadLetterRetainMs,
  });
}

export async function openQueue(
  runtime: Runtime,
  { settings, id }: PipelineSource,
  { workerCount, leftovers }: { readonly workerCount: number; readonly leftovers: readonly EventChunk[] },
): Promise<EventQueue> {
  if (settings.queueType === 'memory') {
    const { batchSize, queueMemoryBytesMax: bytesMax } = settings;
    return new MemoryQueue({ capacity: workerCount * batchSize, bytesMax, batchSize, leftovers });
  }
  assert(leftovers.length === 0, `${leftovers.length} pieces in memory for a queue on disk`);
  return PersistedQueue.open(runtime, {
    directory: `${settings.queuePath}/${id}`,
    pageBytes: settings.pageBytes,
    bytesMax: settings.queueBytesMax,
    eventsMax: settings.queueEventsMax,
    checkpointAcks: settings.checkpointAcks,
    checkpointWrites: settings.checkpointWrites,
    checkpointIntervalMs: settings.checkpointIntervalMs,
    recordEventsMax: settings.batchSize,
    compression: settings.queueCompression,
  });
}
