/**
 * Records of a persisted queue that are not on disk yet: cut from what is pushed, and written several in one piece.
 */
import type { EventChunk } from '../queue/event-queue.ts';
import { RECORD_HEAD_BYTES, writeRecord } from './page-format.ts';
import { type PackedPayload, packPayload, type QueueCompression } from './payload-compression.ts';

export interface PendingRecord extends PackedPayload {
  readonly count: number;
  /** Set on the last record of a push. */
  readonly settle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | null;
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
