/**
 * The translog's bytes: a header a file, then records {mark, length, crc, synced size, operation}.
 *
 * Each record says how much of its file was already durable when it was made. After a crash this tells a torn group of
 * writes (nobody was promised anything) from damage to what had been acknowledged, which must never be skipped.
 */

import { crc32 } from 'node:zlib';
import { ByteSink, ByteSource, DamagedBytes } from '@shoal/core';
import { decodeOperation, encodeOperation, type HistoryOperation, operationBytesMax } from '@shoal/shard-api';
import type { HistoryState } from '../history/history-state.ts';
import { decodeNote, encodeNote, type LogNote } from './log-note.ts';

/**
 * Version 2 may name the request of an operation; version 3 also has the answer, numbers in any order, and operations that do
 * nothing; version 4 has notes between them, and of several operations with one number the last one counts.
 */
export const TRANSLOG_FORMAT_VERSION = 4;
export const TRANSLOG_HEADER_BYTES = 32;

const MAGIC_TEXT = 'SHOALTLG';
const RECORD_MARK = 0x5aa5;
const RECORD_MARK_BYTES = Buffer.from([RECORD_MARK & 0xff, RECORD_MARK >>> 8]);
export const RECORD_HEADER_BYTES = 18;
/** Kind, two numbers, count of leases. */
const NOTE_BYTES = 1 + 2 * 8 + 4;
/** Two numbers, length of the node's name. */
const LEASE_BYTES = 2 * 8 + 5;
/** Bytes that a UTF-16 unit takes at most in UTF-8. */
const UTF8_BYTES_MAX = 3;

export interface TranslogHeader {
  readonly version: number;
  readonly generation: number;
  /** Whole size of the generation before, all of it durable before this file was made; -1 when there was none. */
  readonly previousBytes: number;
}

export function encodeHeader(generation: number, previousBytes: number): Uint8Array {
  const sink = new ByteSink(TRANSLOG_HEADER_BYTES);
  sink.raw(Buffer.from(MAGIC_TEXT, 'latin1'));
  sink.u32(TRANSLOG_FORMAT_VERSION);
  sink.f64(generation);
  sink.f64(previousBytes);
  sink.u32(crc32(sink.written()));
  return sink.copy();
}

/** null when the header was not written whole. */
export function decodeHeader(bytes: Uint8Array): TranslogHeader | null {
  if (bytes.length < TRANSLOG_HEADER_BYTES) return null;
  const source = new ByteSource(bytes);
  const magic = Buffer.from(source.raw(8)).toString('latin1');
  const version = source.u32();
  const generation = source.f64();
  const previousBytes = source.f64();
  const isWhole = magic === MAGIC_TEXT && source.u32() === crc32(bytes.subarray(0, TRANSLOG_HEADER_BYTES - 4));
  return isWhole ? { version, generation, previousBytes } : null;
}

/** Room that an operation's record fits in. */
export function recordBytesMax(operation: HistoryOperation): number {
  return RECORD_HEADER_BYTES + operationBytesMax(operation);
}

/** Room that a note fits in. */
export function noteBytesMax(leases: HistoryState['leases']): number {
  let bytes = RECORD_HEADER_BYTES + NOTE_BYTES;
  for (const node of leases.keys()) bytes += LEASE_BYTES + node.length * UTF8_BYTES_MAX;
  return bytes;
}

/** Appends one record. `syncedBytes`: how much of the file is durable now. */
export function encodeRecord(sink: ByteSink, content: HistoryOperation | LogNote, syncedBytes: number): void {
  const at = sink.length;
  sink.u16(RECORD_MARK);
  sink.u32(0);
  sink.u32(0);
  sink.f64(syncedBytes);
  if (content.kind === 'state' || content.kind === 'trim') encodeNote(sink, content);
  else encodeOperation(sink, content);
  sink.patchU32(at + 2, sink.length - at - RECORD_HEADER_BYTES);
  sink.patchU32(at + 6, crc32(sink.bytes.subarray(at + 10, sink.length)));
}

export interface DecodedRecord {
  /** null: the record is a note. */
  readonly operation: HistoryOperation | null;
  readonly note: LogNote | null;
  readonly syncedBytes: number;
  readonly end: number;
}

/** First position from `from` on where a record may begin; -1 when there is none. */
export function nextRecordMark(bytes: Uint8Array, from: number): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(RECORD_MARK_BYTES, from);
}

/** Size of the record at `at`, which may end behind the bytes; null when none begins there, or its header is not whole. */
export function recordBytes(bytes: Uint8Array, at: number): number | null {
  if (at + RECORD_HEADER_BYTES > bytes.length) return null;
  const source = new ByteSource(bytes, at);
  return source.u16() === RECORD_MARK ? RECORD_HEADER_BYTES + source.u32() : null;
}

/** The record at `at`, or null when the bytes there are no whole record. */
export function decodeRecord(bytes: Uint8Array, at: number): DecodedRecord | null {
  if (at + RECORD_HEADER_BYTES > bytes.length) return null;
  const source = new ByteSource(bytes, at);
  if (source.u16() !== RECORD_MARK) return null;
  const length = source.u32();
  const crc = source.u32();
  const end = at + RECORD_HEADER_BYTES + length;
  if (end > bytes.length || crc32(bytes.subarray(at + 10, end)) !== crc) return null;
  try {
    const syncedBytes = source.f64();
    const note = decodeNote(source);
    const operation = note === null ? decodeOperation(source) : null;
    return source.at === end ? { operation, note, syncedBytes, end } : null;
  } catch (error) {
    if (error instanceof DamagedBytes) return null;
    throw error;
  }
}
