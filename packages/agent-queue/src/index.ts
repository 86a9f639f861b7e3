export type { DeadLetterEntry } from './dead-letters/dead-letter-entry.ts';
export { type DeadLetterPosition, DeadLetterReader } from './dead-letters/dead-letter-reader.ts';
export { DeadLetterWriter } from './dead-letters/dead-letter-writer.ts';
export { PersistedQueue } from './persisted/persisted-queue.ts';
export { cutEvents, cutLines } from './queue/cut-chunks.ts';
export type { EventChunk, EventQueue, QueuedBatch, QueueSizes } from './queue/event-queue.ts';
export { MemoryQueue } from './queue/memory-queue.ts';
