/**
 * Stores of one pipeline: its queue in memory or on disk, and its dead letter queue, as its settings say.
 */
import { DeadLetterWriter, type EventQueue, MemoryQueue, PersistedQueue } from '@shoal/agent-queue';
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
  workerCount: number,
): Promise<EventQueue> {
  if (settings.queueType === 'memory') {
    return new MemoryQueue({ capacity: workerCount * settings.batchSize, batchSize: settings.batchSize });
  }
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
