/**
 * Writes of one shard in one piece of memory: what a coordinator packs goes as it is to the shard's node and to its thread,
 * and an operation becomes an object there for as long as it is executed.
 *
 * ```
 * count, bytes of ids, bytes of extras     u32 each
 * token of the request                     3 u32; all 0: none
 * end of each id                           u32 an operation
 * end of each body                         u32 an operation
 * end of each operation's extras           u32 an operation, not without bytes of extras
 * kinds                                    u8 an operation
 * ids in UTF-8, extras, bodies
 * ```
 *
 * Little-endian. Whatever comes from another node passes `read`, which believes no length before it was checked.
 */
import { assert, DamagedBytes } from '@shoal/core';
import {
  KIND_CREATE,
  KIND_CREATE_AUTO_ID,
  KIND_DELETE,
  KIND_INDEX_AUTO_ID,
  KIND_UPDATE,
  kindOf,
  malformedOperations,
  NO_EXTRAS,
  type OperationExtras,
  readExtras,
  writeExtras,
} from './operation-kinds.ts';
import { RequestToken } from './request-token.ts';
import type { OperationList, WriteOperation } from './write-operation.ts';

/** Operations in one shard request; their bytes are bounded by the frame. */
const OPERATIONS_MAX = 1_000_000;
const TOKEN_FIELD = 3;
const HEADER_FIELDS = 6;
const FIELD_BYTES = 4;

/** Where the columns of so many operations stand. */
class Layout {
  readonly idEnds: number = HEADER_FIELDS * FIELD_BYTES;
  readonly bodyEnds: number;
  readonly extraEnds: number;
  readonly kinds: number;
  readonly ids: number;
  readonly extras: number;
  readonly bodies: number;

  constructor(count: number, idBytes: number, extraBytes: number) {
    this.bodyEnds = this.idEnds + count * FIELD_BYTES;
    this.extraEnds = this.bodyEnds + count * FIELD_BYTES;
    this.kinds = this.extraEnds + (extraBytes === 0 ? 0 : count * FIELD_BYTES);
    this.ids = this.kinds + count;
    this.extras = this.ids + idBytes;
    this.bodies = this.extras + extraBytes;
  }
}

export class PackedOperations implements OperationList {
  /** The whole of it. */
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly token: RequestToken | null;
  readonly #text: Buffer;
  readonly #layout: Layout;
  readonly #idEnds: Uint32Array;
  readonly #bodyEnds: Uint32Array;
  /** null: no operation has any. */
  readonly #extraEnds: Uint32Array | null;

  private constructor(bytes: Uint8Array, count: number, layout: Layout) {
    this.bytes = bytes;
    this.length = count;
    const [first = 0, second = 0, third = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset, HEADER_FIELDS).subarray(
      TOKEN_FIELD,
    );
    this.token = first === 0 && second === 0 && third === 0 ? null : new RequestToken([first, second, third]);
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#layout = layout;
    const column = (at: number) => new Uint32Array(bytes.buffer, bytes.byteOffset + at, count);
    this.#idEnds = column(layout.idEnds);
    this.#bodyEnds = column(layout.bodyEnds);
    this.#extraEnds = layout.kinds === layout.extraEnds ? null : column(layout.extraEnds);
  }

  /** @throws malformed_message_exception for what no `OperationPacker` made */
  static read(received: Uint8Array): PackedOperations {
    const bytes = received.byteOffset % FIELD_BYTES === 0 ? received : received.slice();
    if (bytes.length < HEADER_FIELDS * FIELD_BYTES) throw malformedOperations(`has ${bytes.length} bytes`);
    const [count = 0, idBytes = 0, extraBytes = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset, HEADER_FIELDS);
    if (count > OPERATIONS_MAX) throw malformedOperations(`names ${count} operations, at most ${OPERATIONS_MAX}`);
    const layout = new Layout(count, idBytes, extraBytes);
    if (layout.bodies > bytes.length) throw malformedOperations(`has ${bytes.length} bytes of ${layout.bodies}`);
    const operations = new PackedOperations(bytes, count, layout);
    operations.#check(idBytes, extraBytes);
    return operations;
  }

  #check(idBytes: number, extraBytes: number): void {
    checkEnds('ids', this.#idEnds, idBytes);
    checkEnds('bodies', this.#bodyEnds, this.bytes.length - this.#layout.bodies);
    if (this.#extraEnds !== null) checkEnds('extras', this.#extraEnds, extraBytes);
    for (let at = 0; at < this.length; at++) {
      const kind = this.#kind(at);
      if (kind > KIND_UPDATE) throw malformedOperations(`holds the unknown kind ${kind}`);
      if (this.#extraEnds !== null) this.#extras(at);
    }
  }

  /** Bytes of documents and of the bodies of updates, without the first `from` operations. */
  bodyBytes(from = 0): number {
    return this.bytes.length - this.#layout.bodies - (from === 0 ? 0 : (this.#bodyEnds[from - 1] ?? 0));
  }

  at(position: number): WriteOperation | undefined {
    if (position >= this.length) return undefined;
    const kind = this.#kind(position);
    const { ids, bodies } = this.#layout;
    const idStart = position === 0 ? 0 : (this.#idEnds[position - 1] as number);
    const id = this.#text.toString('utf8', ids + idStart, ids + (this.#idEnds[position] as number));
    const { routing, conditions, templates } = this.#extraEnds === null ? NO_EXTRAS : this.#extras(position);
    if (kind === KIND_DELETE) return { kind: 'delete', id, routing, conditions };
    const bodyStart = position === 0 ? 0 : (this.#bodyEnds[position - 1] as number);
    const body = this.#view(bodies + bodyStart, bodies + (this.#bodyEnds[position] as number));
    if (kind === KIND_UPDATE) return { kind: 'update', id, routing, body, conditions };
    return {
      kind: 'index',
      opType: kind === KIND_CREATE || kind === KIND_CREATE_AUTO_ID ? 'create' : 'index',
      id,
      routing,
      isAutoId: kind === KIND_CREATE_AUTO_ID || kind === KIND_INDEX_AUTO_ID,
      source: body,
      conditions,
      ...(templates !== undefined && { templates }),
    };
  }

  *[Symbol.iterator](): Iterator<WriteOperation> {
    for (let at = 0; at < this.length; at++) yield this.at(at) as WriteOperation;
  }

  #kind(position: number): number {
    return this.bytes[this.#layout.kinds + position] as number;
  }

  #view(start: number, end: number): Uint8Array {
    return new Uint8Array(this.bytes.buffer, this.bytes.byteOffset + start, end - start);
  }

  #extras(position: number): OperationExtras {
    const ends = this.#extraEnds as Uint32Array; // Asked only where there are some.
    const { extras } = this.#layout;
    const start = position === 0 ? 0 : (ends[position - 1] as number);
    try {
      return readExtras(this.#view(extras + start, extras + (ends[position] as number)));
    } catch (error) {
      if (error instanceof DamagedBytes) throw malformedOperations(`has extras that are cut off: ${error.message}`);
      throw error;
    }
  }
}

/** Each end at or behind the one before, and the last one where the bytes end. */
function checkEnds(what: string, ends: Uint32Array, total: number): void {
  let before = 0;
  for (let at = 0; at < ends.length; at++) {
    const end = ends[at] as number;
    if (end < before) throw malformedOperations(`has ${what} that end at ${end} after ${before}`);
    before = end;
  }
  if (before !== total) throw malformedOperations(`has ${what} of ${total} bytes that end at ${before}`);
}

/** What all operations of a packer take together: known before the first one is put in, so that memory is made once. */
export interface PackedSizes {
  readonly count: number;
  readonly idBytes: number;
  readonly extraBytes: number;
  readonly bodyBytes: number;
  /** Default: none. */
  readonly token?: RequestToken;
}

/** A part of a larger piece of memory. */
export interface ByteRange {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

export class OperationPacker {
  readonly #bytes: Uint8Array;
  readonly #ends: Uint32Array;
  readonly #count: number;
  readonly #hasExtras: boolean;
  readonly #kinds: number;
  #at = 0;
  #idAt: number;
  #extraAt: number;
  #bodyAt: number;
  readonly #layout: Layout;

  constructor({ count, idBytes, extraBytes, bodyBytes, token }: PackedSizes) {
    const layout = new Layout(count, idBytes, extraBytes);
    this.#layout = layout;
    this.#bytes = new Uint8Array(layout.bodies + bodyBytes);
    const columns = extraBytes === 0 ? 2 : 3;
    this.#ends = new Uint32Array(this.#bytes.buffer, 0, HEADER_FIELDS + count * columns);
    this.#ends.set([count, idBytes, extraBytes]);
    if (token !== undefined) this.#ends.set(token.words, TOKEN_FIELD);
    this.#count = count;
    this.#hasExtras = extraBytes > 0;
    this.#kinds = layout.kinds;
    this.#idAt = layout.ids;
    this.#extraAt = layout.extras;
    this.#bodyAt = layout.bodies;
  }

  /** Puts the next operation in; an id is copied byte by byte, being short. */
  put(kind: number, id: ByteRange, body: ByteRange, extras: Uint8Array): void {
    const at = this.#at++;
    assert(at < this.#count, `more operations than the ${this.#count} that were announced`);
    const out = this.#bytes;
    for (let from = id.start; from < id.end; from++) out[this.#idAt++] = id.bytes[from] as number;
    if (body.end > body.start) out.set(body.bytes.subarray(body.start, body.end), this.#bodyAt);
    this.#bodyAt += body.end - body.start;
    out[this.#kinds + at] = kind;
    this.#ends[HEADER_FIELDS + at] = this.#idAt - this.#layout.ids;
    this.#ends[HEADER_FIELDS + this.#count + at] = this.#bodyAt - this.#layout.bodies;
    if (!this.#hasExtras) return;
    out.set(extras, this.#extraAt);
    this.#extraAt += extras.length;
    this.#ends[HEADER_FIELDS + this.#count * 2 + at] = this.#extraAt - this.#layout.extras;
  }

  finish(): PackedOperations {
    // What was announced and what came must agree: `read` looks at every end once more.
    return PackedOperations.read(this.#bytes);
  }
}

/** For those who have operations as objects. */
export function packOperations(operations: readonly WriteOperation[], token?: RequestToken): PackedOperations {
  const rows = operations.map((operation) => ({
    kind: kindOf(operation),
    id: wholeOf(Buffer.from(operation.id, 'utf8')),
    extras: writeExtras(operation),
    body: wholeOf(bodyOf(operation)),
  }));
  const packer = new OperationPacker({
    count: rows.length,
    idBytes: rows.reduce((sum, { id }) => sum + id.end, 0),
    extraBytes: rows.reduce((sum, { extras }) => sum + extras.length, 0),
    bodyBytes: rows.reduce((sum, { body }) => sum + body.end, 0),
    ...(token === undefined ? {} : { token }),
  });
  for (const { kind, id, body, extras } of rows) packer.put(kind, id, body, extras);
  return packer.finish();
}

function bodyOf(operation: WriteOperation): Uint8Array {
  if (operation.kind === 'delete') return new Uint8Array(0);
  return operation.kind === 'update' ? operation.body : operation.source;
}

function wholeOf(bytes: Uint8Array): ByteRange {
  return { bytes, start: 0, end: bytes.length };
}
