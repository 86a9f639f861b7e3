/**
 * Plain values of the state as bytes: msgpack, then deflate level 1.
 *
 * Made once a publication and shared by all its targets, and once a record for the disk; in steps, since a state of thousands of
 * indices takes hundreds of milliseconds, in which its node would answer nobody. Reading is bounded: a few compressed bytes
 * cannot ask for more memory than a state may have.
 */
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { isShoalError, messageOf, ShoalError, StepMeter, type Steps } from '@shoal/core';
import { MESSAGE_LIMITS, type MessageLimits, messageFault } from '@shoal/transport';
import { Packr } from 'msgpackr';

/** Largest state, uncompressed, that a node accepts. */
export const STATE_BYTES_MAX: number = 256 * 1024 * 1024;

/** Values of a state: a field of a mapping has five, so that ten thousand indices of four hundred fields each fit. */
export const STATE_LIMITS: MessageLimits = { ...MESSAGE_LIMITS, valuesMax: 20_000_000 };

/** Bytes that are compressed in one step: a millisecond or two. */
export const PIECE_BYTES: number = 128 * 1024;
/** First byte of bytes in pieces: a block of deflate never begins with it. */
const PIECES_MARK = 0x07;
/** Mark and number of pieces. */
const PIECES_HEAD_BYTES = 5;
const LENGTH_BYTES = 4;
const PIECES_MAX: number = STATE_BYTES_MAX / PIECE_BYTES;
/** Room at first: most differences are smaller. */
const FIRST_BYTES = 2_048;
/** Microseconds that a packed byte costs, about. */
const BYTE_UNITS = 0.02;
/** Lists of more items are packed item by item. */
export const WHOLE_ITEMS_MAX = 16;
/** Maps of maps whose members are packed one by one: what is large stands no deeper. */
export const OPENED_LEVELS = 3;

/**
 * How a large state is compressed: as one stream, which is what the disk has, or in pieces that can be told apart, for a reader that
 * goes in steps. A state of one piece has one form.
 */
export type StateForm = 'stream' | 'pieces';

/** The bytes of a state, in steps of one item of a large list, such as an index of a state, or of one piece of what is compressed. */
export function* packStateInSteps(
  value: Readonly<Record<string, unknown>>,
  form: StateForm = 'stream',
): Steps<Uint8Array> {
  const packer = new StepPacker();
  yield* packer.value(value, 0);
  const parts = yield* packer.deflater.finish();
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  return Buffer.concat(form === 'stream' ? parts : [headOf(parts), ...parts]);
}

/** Mark, number of pieces, length of each. */
function headOf(parts: readonly Uint8Array[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(PIECES_HEAD_BYTES + LENGTH_BYTES * parts.length));
  view.setUint8(0, PIECES_MARK);
  view.setUint32(1, parts.length);
  for (const [i, part] of parts.entries()) view.setUint32(PIECES_HEAD_BYTES + LENGTH_BYTES * i, part.length);
  return new Uint8Array(view.buffer);
}

/** The pieces of bytes that were packed so; null for one stream. @throws ShoalError where they do not fit together */
export function piecesOf(bytes: Uint8Array): readonly Uint8Array[] | null {
  if (bytes[0] !== PIECES_MARK) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length < PIECES_HEAD_BYTES ? 0 : view.getUint32(1);
  let at = PIECES_HEAD_BYTES + LENGTH_BYTES * count;
  if (count === 0 || count > PIECES_MAX || at > bytes.length) throw unreadable(`it has ${count} pieces`);
  const pieces = Array.from({ length: count }, (_, i) => {
    const from = at;
    at += view.getUint32(PIECES_HEAD_BYTES + LENGTH_BYTES * i);
    return bytes.subarray(from, at);
  });
  if (at !== bytes.length) throw unreadable(`its pieces take ${at} of ${bytes.length} bytes`);
  return pieces;
}

class StepPacker {
  readonly deflater = new StepDeflater();
  private readonly codec = statePackr();
  private readonly meter = new StepMeter();

  *value(value: unknown, level: number): Steps<void> {
    if (Array.isArray(value) && value.length > WHOLE_ITEMS_MAX) yield* this.list(value);
    else if (isMap(value) && level < OPENED_LEVELS) yield* this.map(value, level);
    else yield* this.whole(value);
  }

  private *map(map: Readonly<Record<string, unknown>>, level: number): Steps<void> {
    const names = Object.keys(map);
    this.deflater.add(head(names.length, MAP_TAGS));
    for (const name of names) {
      this.deflater.add(this.codec.pack(name));
      yield* this.value(map[name], level + 1);
    }
  }

  private *list(items: readonly unknown[]): Steps<void> {
    this.deflater.add(head(items.length, LIST_TAGS));
    for (const item of items) yield* this.whole(item);
  }

  private *whole(value: unknown): Steps<void> {
    const bytes = this.codec.pack(value);
    this.deflater.add(bytes);
    if (this.deflater.isFull) yield* this.deflater.deflate();
    else if (this.meter.isDue(bytes.length * BYTE_UNITS)) yield;
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/**
 * Raw deflate of bytes that come in pieces. Each part but the last ends at a byte, without the mark of the end, so that the parts
 * in a row are one stream.
 */
class StepDeflater {
  private readonly parts: Uint8Array[] = [];
  private buffer = new Uint8Array(FIRST_BYTES);
  private used = 0;

  get isFull(): boolean {
    return this.used >= PIECE_BYTES;
  }

  /** Copies: the packer goes on using its memory. */
  add(bytes: Uint8Array): void {
    const wanted = this.used + bytes.length;
    if (wanted > this.buffer.length) {
      const larger = new Uint8Array(Math.max(wanted, this.buffer.length * 2));
      larger.set(this.buffer.subarray(0, this.used));
      this.buffer = larger;
    }
    this.buffer.set(bytes, this.used);
    this.used = wanted;
  }

  /** Every piece is full; what is left of the last stays for the next. */
  *deflate(): Steps<void> {
    let at = 0;
    for (; at + PIECE_BYTES <= this.used; at += PIECE_BYTES) {
      const piece = this.buffer.subarray(at, at + PIECE_BYTES);
      this.parts.push(deflateRawSync(piece, { level: 1, finishFlush: constants.Z_SYNC_FLUSH }));
      yield;
    }
    this.buffer.copyWithin(0, at, this.used);
    this.used -= at;
  }

  *finish(): Steps<readonly Uint8Array[]> {
    if (this.isFull) yield* this.deflate();
    this.parts.push(deflateRawSync(this.buffer.subarray(0, this.used), { level: 1 }));
    return this.parts;
  }
}

interface HeadTags {
  /** Tag of up to 15 entries, the count in its lower bits. */
  readonly small: number;
  /** Tag of a count of 16 bits; that of 32 bits is the next. */
  readonly wide: number;
}

const MAP_TAGS: HeadTags = { small: 0x80, wide: 0xde };
const LIST_TAGS: HeadTags = { small: 0x90, wide: 0xdc };

/** Msgpack head of a container. */
function head(count: number, { small, wide }: HeadTags): Uint8Array {
  if (count < 16) return Uint8Array.of(small | count);
  const is16 = count < 65_536;
  const view = new DataView(new ArrayBuffer(is16 ? 3 : 5));
  view.setUint8(0, is16 ? wide : wide + 1);
  if (is16) view.setUint16(1, count);
  else view.setUint32(1, count);
  return new Uint8Array(view.buffer);
}

/** Throws `malformed_message_exception` for bytes that are no packed state; the value itself is still unchecked. */
export function unpackState(bytes: Uint8Array): unknown {
  try {
    const raw = inflateRawSync(bytes, { maxOutputLength: STATE_BYTES_MAX });
    const fault = messageFault(raw, STATE_LIMITS);
    if (fault !== null) throw unreadable(fault);
    return statePackr().unpack(raw);
  } catch (error) {
    if (isShoalError(error)) throw error;
    throw unreadable(messageOf(error));
  }
}

export function unreadable(why: string): ShoalError {
  return new ShoalError('malformed_message_exception', 400, `packed state cannot be read: ${why}`);
}

export function statePackr(): Packr {
  // A fresh one a call: it keeps no state with records off, and the module must not either.
  return new Packr({ useRecords: false, encodeUndefinedAsNil: true });
}
