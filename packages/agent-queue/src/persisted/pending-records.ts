/**
 * Records of a persisted queue that are not on disk yet: cut from what is pushed, and written several in one piece.
 */
import { type LineBlock, LineCutter, type LogEvent, writeEvents } from '@shoal/agent-event';
import type { EventChunk } from '../queue/event-queue.ts';
import { RECORD_HEAD_BYTES, writeRecord } from './page-format.ts';
import { type PackedPayload, packPayload, type QueueCompression } from './payload-compression.ts';

export interface PendingRecord extends PackedPayload {
  readonly count: number;
  /** Set on the last record of a push. */
  readonly settle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | null;
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

export function pendingRecords(
  chunks: readonly EventChunk[],
  compression: QueueCompression,
  settle: NonNullable<PendingRecord['settle']>,
): readonly PendingRecord[] {
  return chunks.map(({ bytes, count }, i) => ({
    ...packPayload(bytes, compression),
    count,
    settle: i === chunks.length - 1 ? settle : null,
  }));
}

/** How many bytes a record takes in a page. */
export function bytesOf(record: PendingRecord): number {
  return RECORD_HEAD_BYTES + record.payload.byteLength;
}

/** Records as they stand in a page, the first event of all being number `firstSeq`. */
export function joinRecords(records: readonly PendingRecord[], firstSeq: number): Uint8Array {
  const bytes = new Uint8Array(records.reduce((sum, record) => sum + bytesOf(record), 0));
  let nextSeq = firstSeq;
  let offset = 0;
  for (const { payload, isCompressed, count } of records) {
    offset = writeRecord(bytes, offset, { firstSeq: nextSeq, count, payload, isCompressed });
    nextSeq += count;
  }
  return bytes;
}
