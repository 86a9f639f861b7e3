/**
 * Between inputs and workers: takes events while there is room, hands them out in batches, forgets them when a batch is
 * acknowledged.
 *
 * A full queue makes `push` wait, which is the back-pressure that inputs pass on to their senders. What was taken and not
 * acknowledged is still the queue's: it is handed out again if the worker that had it ends.
 */
import type { LineBlock, LogEvent } from '@shoal/agent-event';
import { ShoalError } from '@shoal/core';

/** Serialised events, several in one piece; `readChunk` reads it. */
export interface EventChunk {
  readonly bytes: Uint8Array;
  readonly count: number;
}

export interface QueuedBatch {
  /** Grows with every batch of this queue. */
  readonly id: number;
  readonly count: number;
  readonly chunks: readonly EventChunk[];
}

export interface QueueSizes {
  readonly type: 'memory' | 'persisted';
  /** Events that are in no batch yet. */
  readonly unreadCount: number;
  /** Events that `push` ever brought in, of a push that still waits for room those that found it. */
  readonly acceptedCount: number;
  readonly bytes: number;
  readonly bytesMax: number;
  /** Events that damage of the disk has made unreadable, since the start of the process. */
  readonly lostCount: number;
  /** Those of them that were counted as unread or carried over before. */
  readonly lostUnreadCount: number;
  /** Why nothing can be pushed at the moment, other than that the queue holds what it may; null while that is not so. */
  readonly trouble: string | null;
}

export interface EventQueue {
  /** Resolves when the queue has the events; rejects when it is closed or can no longer be written. */
  push(events: readonly LogEvent[]): Promise<void>;
  /** The same for lines that will be events. Resolves with their number. */
  pushLines(block: LineBlock): Promise<number>;
  /** The same for events that another thread has serialised. */
  pushChunks(chunks: readonly EventChunk[]): Promise<void>;
  /** Up to `countMax` events; null when there are none. One call at a time. */
  take(countMax: number): Promise<QueuedBatch | null>;
  /** The batch is done with: it will not come again. */
  acknowledge(batch: QueuedBatch): void;
  /** Called when there may be something to take. */
  onReadable(handler: () => void): void;
  /** Called once when the queue can no longer be written. */
  onFailed(handler: (error: Error) => void): void;
  sizes(): QueueSizes;
  /** Events that an earlier process left unfinished. */
  readonly carriedOverCount: number;
  /** Refuses whatever is pushed from now on, also what waits; what it has can still be taken. */
  refusePushes(): void;
  /** What was not acknowledged stays for the next process if the queue is persisted. */
  close(): Promise<void>;
}

/** 503: a push into a queue that is closed or refuses pushes. */
export function closedError(): ShoalError {
  return new ShoalError('illegal_state_exception', 503, 'the pipeline stops and takes no more events');
}
