/**
 * Records of the coordination log: one fsync makes one record durable.
 *
 * File: 8 bytes of header (magic, format version), then records of {magic u32, length u32, crc32 u32, type u8, payload}.
 * `length` and the checksum cover type and payload. One save is one record, so that a crash can tear the last one only: a
 * bad record with a good one behind it is damage, and no node may vote on a guess of what it once said.
 */
import { crc32 } from 'node:zlib';
import { assert } from '@shoal/core';

export type RecordType = 'term' | 'full' | 'diff' | 'commit';

export interface CoordinationRecord {
  readonly type: RecordType;
  readonly payload: Uint8Array;
}

export type LogContent =
  | {
      readonly kind: 'ok';
      readonly records: readonly CoordinationRecord[];
      /** Offset of the next record; bytes behind it were torn by a crash and never answered. */
      readonly endOffset: number;
    }
  | { readonly kind: 'foreign'; readonly reason: string }
  | { readonly kind: 'damaged'; readonly offset: number; readonly nextGoodOffset: number };

const FILE_MAGIC = 0x5348434c;
/** Grows with every change of the layout; older readers refuse newer files. */
const FORMAT_VERSION = 1;
export const FILE_HEADER_BYTES = 8;
const RECORD_MAGIC = 0xc07d5a1e;
const RECORD_HEADER_BYTES = 12;
/** The length field has 32 bits. */
const LENGTH_MAX = 2 ** 32 - 1;

const TYPES: readonly RecordType[] = ['term', 'full', 'diff', 'commit'];

export function encodeFileHeader(): Uint8Array {
  const bytes = Buffer.alloc(FILE_HEADER_BYTES);
  bytes.writeUInt32BE(FILE_MAGIC, 0);
  bytes.writeUInt32BE(FORMAT_VERSION, 4);
  return bytes;
}

export function encodeRecord(record: CoordinationRecord): Uint8Array {
  const type = TYPES.indexOf(record.type);
  assert(type >= 0, `unknown record type ${record.type}`);
  assert(record.payload.length < LENGTH_MAX, `a record of ${record.payload.length} bytes`);
  const bytes = Buffer.alloc(RECORD_HEADER_BYTES + 1 + record.payload.length);
  bytes.writeUInt8(type + 1, RECORD_HEADER_BYTES);
  bytes.set(record.payload, RECORD_HEADER_BYTES + 1);
  bytes.writeUInt32BE(RECORD_MAGIC, 0);
  bytes.writeUInt32BE(record.payload.length + 1, 4);
  bytes.writeUInt32BE(crc32(bytes.subarray(RECORD_HEADER_BYTES)), 8);
  return bytes;
}

export function decodeLog(bytes: Uint8Array): LogContent {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (data.length < FILE_HEADER_BYTES || data.readUInt32BE(0) !== FILE_MAGIC) {
    return { kind: 'foreign', reason: 'not a coordination log' };
  }
  const version = data.readUInt32BE(4);
  if (version !== FORMAT_VERSION) {
    return { kind: 'foreign', reason: `format version [${version}], this node reads [${FORMAT_VERSION}]` };
  }
  const records: CoordinationRecord[] = [];
  let offset = FILE_HEADER_BYTES;
  while (offset < data.length) {
    const found = recordAt(data, offset);
    if (found === null) {
      const nextGoodOffset = findRecord(data, offset + 1);
      if (nextGoodOffset !== null) return { kind: 'damaged', offset, nextGoodOffset };
      break;
    }
    records.push(found.record);
    offset = found.endOffset;
  }
  return { kind: 'ok', records, endOffset: offset };
}

function recordAt(
  data: Buffer,
  offset: number,
): { readonly record: CoordinationRecord; readonly endOffset: number } | null {
  const start = offset + RECORD_HEADER_BYTES;
  if (start > data.length || data.readUInt32BE(offset) !== RECORD_MAGIC) return null;
  const length = data.readUInt32BE(offset + 4);
  const end = start + length;
  if (length < 1 || end > data.length) return null;
  const body = data.subarray(start, end);
  if (crc32(body) !== data.readUInt32BE(offset + 8)) return null;
  const type = TYPES[body.readUInt8(0) - 1];
  return type === undefined ? null : { record: { type, payload: body.subarray(1) }, endOffset: end };
}

function findRecord(data: Buffer, from: number): number | null {
  const magic = Buffer.alloc(4);
  magic.writeUInt32BE(RECORD_MAGIC, 0);
  for (let at = data.indexOf(magic, from); at >= 0; at = data.indexOf(magic, at + 1)) {
    if (recordAt(data, at) !== null) return at;
  }
  return null;
}
