/**
 * The format of a persisted queue on disk: pages of records, each record with its own checksum.
 *
 * A page starts with 8 bytes (`SHQP`, version, three zeros); a record is sequence number of its first event (8), number
 * of events (4; its highest bit says that the payload is deflated), length (4), CRC-32 of these and of the payload (4), payload. All numbers little-endian. What does not check is
 * passed over: a machine that failed may have written it in part, or the disk has changed it.
 */
import { crc32 } from 'node:zlib';

export const PAGE_HEAD_BYTES = 8;
export const RECORD_HEAD_BYTES = 20;
/** A record that claims more is damaged: no batch of events comes near. */
export const RECORD_BYTES_MAX: number = 512 * 1024 * 1024;
/** Events of one record; pushes cut larger ones. */
export const RECORD_EVENTS_MAX = 1_000;

const MAGIC = 0x50514853;
const VERSION = 1;
const CRC_AT = 16;
/** Bit of the event count that marks a compressed payload. */
const COMPRESSED_BIT = 0x80000000;

export interface RecordHead {
  readonly firstSeq: number;
  readonly count: number;
  readonly payloadBytes: number;
  readonly isCompressed: boolean;
  readonly crc: number;
}

export function pageHead(): Uint8Array {
  const bytes = new Uint8Array(PAGE_HEAD_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint8(4, VERSION);
  return bytes;
}

/** `foreign` has the head of a page in another version of the format; `none` is no head. */
export function readPageHead(bytes: Uint8Array): 'whole' | 'foreign' | 'none' {
  if (bytes.byteLength < PAGE_HEAD_BYTES) return 'none';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC) return 'none';
  return view.getUint8(4) === VERSION ? 'whole' : 'foreign';
}

/** Writes a record at `offset` and returns where it ends. `into` has the room. */
export function writeRecord(
  into: Uint8Array,
  offset: number,
  record: {
    readonly firstSeq: number;
    readonly count: number;
    readonly payload: Uint8Array;
    readonly isCompressed: boolean;
  },
): number {
  const view = new DataView(into.buffer, into.byteOffset, into.byteLength);
  view.setBigUint64(offset, BigInt(record.firstSeq), true);
  view.setUint32(offset + 8, record.count + (record.isCompressed ? COMPRESSED_BIT : 0), true);
  view.setUint32(offset + 12, record.payload.byteLength, true);
  view.setUint32(offset + CRC_AT, recordCrc(into.subarray(offset, offset + CRC_AT), record.payload), true);
  into.set(record.payload, offset + RECORD_HEAD_BYTES);
  return offset + RECORD_HEAD_BYTES + record.payload.byteLength;
}

/** null when the bytes cannot be the head of a record. */
export function readRecordHead(bytes: Uint8Array): RecordHead | null {
  if (bytes.byteLength < RECORD_HEAD_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const firstSeq = Number(view.getBigUint64(0, true));
  const countAndBit = view.getUint32(8, true);
  const isCompressed = countAndBit >= COMPRESSED_BIT;
  const count = isCompressed ? countAndBit - COMPRESSED_BIT : countAndBit;
  const payloadBytes = view.getUint32(12, true);
  if (!Number.isSafeInteger(firstSeq) || count === 0 || count > RECORD_EVENTS_MAX) return null;
  if (payloadBytes === 0 || payloadBytes > RECORD_BYTES_MAX) return null;
  return { firstSeq, count, payloadBytes, isCompressed, crc: view.getUint32(CRC_AT, true) };
}

/** Over the head without its checksum, then the payload. */
export function recordCrc(head: Uint8Array, payload: Uint8Array): number {
  return crc32(payload, crc32(head.subarray(0, CRC_AT)));
}
