/**
 * Cuts what inputs push into chunks, each small enough for a batch or a record of the queue.
 */
import { type LineBlock, LineCutter, type LogEvent, readChunk, writeEvents } from '@shoal/agent-event';
import type { EventChunk } from './event-queue.ts';

/** Chunks of at most `countMax` events; those that are larger are read, and written in pieces. */
export function recutChunks(chunks: readonly EventChunk[], countMax: number): readonly EventChunk[] {
  if (chunks.every(({ count }) => count <= countMax)) return chunks;
  return chunks.flatMap((chunk) => (chunk.count <= countMax ? [chunk] : cutEvents(readChunk(chunk.bytes), countMax)));
}

/** Pieces of at most `countMax` events. */
export function cutEvents(events: readonly LogEvent[], countMax: number): readonly EventChunk[] {
  const chunks: EventChunk[] = [];
  for (let at = 0; at < events.length; at += countMax) {
    const part = events.slice(at, at + countMax);
    chunks.push({ bytes: writeEvents(part), count: part.length });
  }
  return chunks;
}

/** The same of lines, one an event. */
export function cutLines(block: LineBlock, countMax: number): readonly EventChunk[] {
  const cutter = new LineCutter(block);
  const chunks: EventChunk[] = [];
  for (let chunk = cutter.next(countMax); chunk !== null; chunk = cutter.next(countMax)) chunks.push(chunk);
  return chunks;
}
