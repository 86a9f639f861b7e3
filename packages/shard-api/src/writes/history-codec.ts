/**
 * Operations of a shard's history as bytes: as they stand in a record of the translog, and in lists that one copy sends to another.
 *
 * ```
 * kind                          u8: 1 index, 2 delete, 3 nothing; 16 added: the request stands behind; 32 beside it: and its answer
 * request                       three words u32, position u32, and with 32 the answer u8
 * seqNo, primaryTerm            f64 each
 * index, delete                 version f64, id text
 * index                         hasRouting u8, routing text, source blob
 * nothing                       reason text
 *
 * list                          count u32, then of each operation: length u32, operation
 * ```
 *
 * The bytes of a record can be put into a list as they are: a primary makes no object to send what it has just logged. Whatever comes
 * from another node passes `unpackHistory`, which believes no length before it was checked.
 */
import { assert, ByteSink, ByteSource, DamagedBytes, type ShoalError } from '@shoal/core';
import type { HistoryOperation, OperationOrigin } from './history-operation.ts';
import { malformedOperations } from './operation-kinds.ts';
import { RequestToken } from './request-token.ts';

const INDEX_KIND = 1;
const DELETE_KIND = 2;
const NOOP_KIND = 3;
/** Added to a kind: the request of the operation is named behind it. */
const WITH_ORIGIN = 0x10;
/** Added beside it: the result of the operation stands behind the request. */
const WITH_RESULT = 0x20;
/** What an operation that is recorded has done; records number them in this order. */
export const RECORDED_RESULTS = ['created', 'updated', 'deleted', 'not_found'] as const;
/** Kind, three numbers, lengths of id, routing and source, and the request's words with the position in it and its result. */
const BESIDE_TEXTS_BYTES = 1 + 3 * 8 + 1 + 3 * 5 + 4 * 4 + 1;
/** Bytes that a UTF-16 unit takes at most in UTF-8. */
const UTF8_BYTES_MAX = 3;

/** Operations in one list; their bytes are bounded by the frame. */
const OPERATIONS_MAX = 1_000_000;
const LENGTH_BYTES = 4;
/** Bytes of the shortest operation, one that does nothing without a reason. */
const OPERATION_BYTES_MIN = 1 + 2 * 8 + 1;

/** Room that an operation fits in. */
export function operationBytesMax(operation: HistoryOperation): number {
  const text = operation.kind === 'noop' ? operation.reason : operation.id;
  const beside = BESIDE_TEXTS_BYTES + text.length * UTF8_BYTES_MAX;
  if (operation.kind !== 'index') return beside;
  return beside + (operation.routing?.length ?? 0) * UTF8_BYTES_MAX + operation.source.length;
}

export function encodeOperation(sink: ByteSink, operation: HistoryOperation): void {
  if (operation.kind === 'noop') {
    sink.u8(NOOP_KIND);
    sink.f64(operation.seqNo);
    sink.f64(operation.primaryTerm);
    sink.text(operation.reason);
    return;
  }
  const { origin } = operation;
  const kind = operation.kind === 'index' ? INDEX_KIND : DELETE_KIND;
  if (origin === null) sink.u8(kind);
  else encodeOrigin(sink, kind, origin);
  sink.f64(operation.seqNo);
  sink.f64(operation.primaryTerm);
  sink.f64(operation.version);
  sink.text(operation.id);
  if (operation.kind !== 'index') return;
  sink.u8(operation.routing === null ? 0 : 1);
  if (operation.routing !== null) sink.text(operation.routing);
  sink.blob(operation.source);
}

function encodeOrigin(sink: ByteSink, kind: number, { token, position, result }: OperationOrigin): void {
  sink.u8(kind | WITH_ORIGIN | (result === null ? 0 : WITH_RESULT));
  sink.u32(token.words[0]);
  sink.u32(token.words[1]);
  sink.u32(token.words[2]);
  sink.u32(position);
  if (result !== null) sink.u8(RECORDED_RESULTS.indexOf(result));
}

/**
 * The operation at the source's position, which stands behind it then. Documents are views of its bytes.
 *
 * @throws DamagedBytes
 */
export function decodeOperation(source: ByteSource): HistoryOperation {
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
  const result = hasResult ? RECORDED_RESULTS[source.u8()] : null;
  if (result === undefined) throw new DamagedBytes('a request without a known result');
  return { token: new RequestToken(words), position, result };
}

/** Makes a list of operations for another copy. */
export class HistoryPacker {
  readonly #sink: ByteSink;
  #count = 0;

  /** @param room bytes that are expected */
  constructor(room = 0) {
    this.#sink = new ByteSink(room + LENGTH_BYTES);
    this.#sink.u32(0);
  }

  get count(): number {
    return this.#count;
  }

  /** Bytes of the list so far. */
  get byteLength(): number {
    return this.#sink.length;
  }

  add(operation: HistoryOperation): void {
    const at = this.#sink.length;
    this.#sink.u32(0);
    encodeOperation(this.#sink, operation);
    this.#sink.patchU32(at, this.#sink.length - at - LENGTH_BYTES);
    this.#count++;
  }

  /** @param operation as `encodeOperation` wrote it */
  addEncoded(operation: Uint8Array): void {
    assert(operation.length >= OPERATION_BYTES_MIN, `an operation of ${operation.length} bytes`);
    this.#sink.u32(operation.length);
    this.#sink.raw(operation);
    this.#count++;
  }

  /** The list; nothing may be added afterwards. */
  finish(): Uint8Array {
    assert(this.#count <= OPERATIONS_MAX, `${this.#count} operations in one list`);
    this.#sink.patchU32(0, this.#count);
    return this.#sink.written();
  }
}

export function packHistory(operations: readonly HistoryOperation[]): Uint8Array {
  const packer = new HistoryPacker(operations.reduce((sum, next) => sum + operationBytesMax(next) + LENGTH_BYTES, 0));
  for (const operation of operations) packer.add(operation);
  return packer.finish();
}

/**
 * Operations of a list that came from another node; documents are views of its bytes.
 *
 * @throws malformed_message_exception for what no `HistoryPacker` made
 */
export function unpackHistory(bytes: Uint8Array): readonly HistoryOperation[] {
  const source = new ByteSource(bytes);
  try {
    const count = source.u32();
    // Before anything is made for them.
    const fitting = Math.floor((bytes.length - LENGTH_BYTES) / (LENGTH_BYTES + OPERATION_BYTES_MIN));
    if (count > Math.min(OPERATIONS_MAX, fitting))
      throw malformedOperations(`names ${count} operations in ${bytes.length} bytes`);
    const operations: HistoryOperation[] = [];
    for (let position = 0; position < count; position++) operations.push(unpackNext(source));
    if (source.at !== bytes.length) throw malformedOperations(`has ${bytes.length - source.at} bytes behind the last`);
    return operations;
  } catch (error) {
    if (error instanceof DamagedBytes) throw malformedOperations(`has an operation that is cut off: ${error.message}`);
    throw error;
  }
}

function unpackNext(source: ByteSource): HistoryOperation {
  const length = source.u32();
  const end = source.at + length;
  const operation = decodeOperation(source);
  if (source.at !== end) throw malformedOperations(`has an operation of ${length} bytes that is not of that length`);
  const problem = problemOf(operation);
  if (problem !== null) throw problem;
  return operation;
}

/** Numbers that no primary gives; null: there is none. */
function problemOf(operation: HistoryOperation): ShoalError | null {
  const { seqNo, primaryTerm } = operation;
  const version = operation.kind === 'noop' ? 0 : operation.version;
  if (!isWhole(seqNo) || !isWhole(primaryTerm) || primaryTerm < 1)
    return malformedOperations(`has an operation [${seqNo}] of term [${primaryTerm}]`);
  return isWhole(version) ? null : malformedOperations(`has an operation of version [${version}]`);
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
