/**
 * The translog's bytes: a header a file, then records {mark, length, crc, synced size, operation}.
 *
 * Each record says how much of its file was already durable when it was made. After a crash this tells a torn group of
 * writes (nobody was promised anything) from damage to what had been acknowledged, which must never be skipped.
 */

import { crc32 } from 'node:zlib';
import { ByteSink, ByteSource, DamagedBytes } from '@shoal/core';
import { type HistoryOperation, type OperationOrigin, RequestToken } from '@shoal/shard-api';

/** Version 2 may name the request of an operation; version 3 also has the answer, numbers in any order, and operations that do nothing. */
export const TRANSLOG_FORMAT_VERSION = 3;
export const TRANSLOG_HEADER_BYTES = 32;

const MAGIC_TEXT = 'SHOALTLG';
const RECORD_MARK = 0x5aa5;
const RECORD_MARK_BYTES = Buffer.from([RECORD_MARK & 0xff, RECORD_MARK >>> 8]);
export const RECORD_HEADER_BYTES = 18;
/** Kind, three numbers, lengths of id, routing and source, and the request's words with the position in it and its result. */
const BESIDE_TEXTS_BYTES = 1 + 3 * 8 + 1 + 3 * 5 + 4 * 4 + 1;
const INDEX_KIND = 1;
const DELETE_KIND = 2;
const NOOP_KIND = 3;
/** Added to a kind: the request of the operation is named behind it. */
const WITH_ORIGIN = 0x10;
/** Added beside it: the result of the operation stands behind the request. */
const WITH_RESULT = 0x20;
const RESULTS = ['created', 'updated', 'deleted', 'not_found'] as const;
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
  const text = operation.kind === 'noop' ? operation.reason : operation.id;
  const beside = RECORD_HEADER_BYTES + BESIDE_TEXTS_BYTES + text.length * UTF8_BYTES_MAX;
  if (operation.kind !== 'index') return beside;
  return beside + (operation.routing?.length ?? 0) * UTF8_BYTES_MAX + operation.source.length;
}

/** Appends one record. `syncedBytes`: how much of the file is durable now. */
export function encodeRecord(sink: ByteSink, operation: HistoryOperation, syncedBytes: number): void {
  const at = sink.length;
  sink.u16(RECORD_MARK);
  sink.u32(0);
  sink.u32(0);
  sink.f64(syncedBytes);
  if (operation.kind === 'noop') encodeNoop(sink, operation);
  else encodeWrite(sink, operation);
  sink.patchU32(at + 2, sink.length - at - RECORD_HEADER_BYTES);
  sink.patchU32(at + 6, crc32(sink.bytes.subarray(at + 10, sink.length)));
}

function encodeWrite(sink: ByteSink, operation: Exclude<HistoryOperation, { kind: 'noop' }>): void {
  const { origin } = operation;
  const kind = operation.kind === 'index' ? INDEX_KIND : DELETE_KIND;
  if (origin === null) sink.u8(kind);
  else encodeOrigin(sink, kind, origin);
  sink.f64(operation.seqNo);
  sink.f64(operation.primaryTerm);
  sink.f64(operation.version);
  sink.text(operation.id);
  if (operation.kind === 'index') {
    sink.u8(operation.routing === null ? 0 : 1);
    if (operation.routing !== null) sink.text(operation.routing);
    sink.blob(operation.source);
  }
}

function encodeOrigin(sink: ByteSink, kind: number, { token, position, result }: OperationOrigin): void {
  sink.u8(kind | WITH_ORIGIN | (result === null ? 0 : WITH_RESULT));
  for (const word of [...token.words, position]) sink.u32(word);
  if (result !== null) sink.u8(RESULTS.indexOf(result));
}

function encodeNoop(sink: ByteSink, operation: Extract<HistoryOperation, { kind: 'noop' }>): void {
  sink.u8(NOOP_KIND);
  sink.f64(operation.seqNo);
  sink.f64(operation.primaryTerm);
  sink.text(operation.reason);
}

export interface DecodedRecord {
  readonly operation: HistoryOperation;
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
    const operation = readOperation(source);
    return source.at === end ? { operation, syncedBytes, end } : null;
  } catch (error) {
    if (error instanceof DamagedBytes) return null;
    throw error;
  }
}

function readOperation(source: ByteSource): HistoryOperation {
  const kind = source.u8();
  if (kind === NOOP_KIND)
    return { kind: 'noop', seqNo: source.f64(), primaryTerm: source.f64(), reason: source.text() };
  const origin = (kind & WITH_ORIGIN) === 0 ? null : readOrigin(source, (kind & WITH_RESULT) !== 0);
  const head = { seqNo: source.f64(), primaryTerm: source.f64(), version: source.f64(), id: source.text(), origin };
  switch (kind & ~(WITH_ORIGIN | WITH_RESULT)) {
    case DELETE_KIND:
      return { kind: 'delete', ...head };
    case INDEX_KIND: {
      const routing = source.u8() === 1 ? source.text() : null;
      return { kind: 'index', ...head, routing, source: source.blob() };
    }
    default:
      throw new DamagedBytes(`unknown kind of operation ${kind}`);
  }
}

function readOrigin(source: ByteSource, hasResult: boolean): OperationOrigin {
  const words = [source.u32(), source.u32(), source.u32()] as const;
  if (words.every((word) => word === 0)) throw new DamagedBytes('a request without a name');
  const position = source.u32();
  const result = hasResult ? RESULTS[source.u8()] : null;
  if (result === undefined) throw new DamagedBytes('a request without a known result');
  return { token: new RequestToken(words), position, result };
}
