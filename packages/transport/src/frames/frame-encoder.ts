/**
 * One frame as the chunks that go to the socket. Large sections are referenced, not copied; everything small is laid into
 * one buffer, so that a response with ten thousand short documents is a handful of chunks.
 */
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { assert, illegalArgument } from '@shoal/core';
import type { WireBody } from '../channel/transport.ts';
import type { MessageCodec } from '../messages/message-codec.ts';
import {
  EMPTY_META,
  FLAG_COMPRESSED,
  FRAME_COUNTED_HEADER_BYTES,
  FRAME_HEADER_BYTES,
  FRAME_MAGIC_0,
  FRAME_MAGIC_1,
  type FrameMeta,
  INFLATE_RATIO_MAX,
  META_BYTES_MAX,
  PROTOCOL_REVISION,
  SECTION_ALIGNMENT,
  SECTIONS_MAX,
  writeMeta,
} from './frame.ts';

export interface OutboundFrame {
  readonly flags: number;
  readonly requestId: number;
  readonly meta: FrameMeta;
  /** Null for frames that are only a header (ping, pong, cancel). */
  readonly body: WireBody | null;
}

export interface EncodedFrame {
  readonly chunks: readonly Uint8Array[];
  readonly bytes: number;
}

export interface FrameEncoderOptions {
  readonly codec: MessageCodec;
  readonly version: number;
  readonly frameBytesMax: number;
  /** Off under TLS, which checks every byte itself. */
  readonly checksum: boolean;
}

const COMPRESS_FROM_BYTES = 2 * 1024;
/** A compressed body must save a tenth, or the work at the other end is not worth it. */
const COMPRESSED_SHARE_MAX = 0.9;
const DEFLATE_LEVEL = constants.Z_BEST_SPEED;
/** Sections from this size on are chunks of their own. */
const REFERENCED_FROM_BYTES = 8 * 1024;
const SIZE_FIELD_BYTES = 4;
const U32_RANGE = 0x1_0000_0000;

export class FrameEncoder {
  readonly #options: FrameEncoderOptions;

  constructor(options: FrameEncoderOptions) {
    this.#options = options;
  }

  /** Throws a `ShoalError` when the frame is longer than the other end would take. */
  encode(frame: OutboundFrame, compress: boolean): EncodedFrame {
    const message = frame.body === null ? null : this.#options.codec.encode(frame.body.message);
    const sections = frame.body?.sections ?? [];
    assert(sections.length <= SECTIONS_MAX, `${sections.length} sections, at most ${SECTIONS_MAX} fit a frame`);
    if (compress && message !== null) {
      const compressed = this.#compressed(frame, message, sections);
      if (compressed !== null) return compressed;
    }
    const meta = this.#meta(frame.meta);
    const body = message === null ? [] : layBody(message, sections, FRAME_HEADER_BYTES + meta.byteLength);
    return this.#seal(frame.flags, frame.requestId, meta, body, sections.length);
  }

  /** Null when it does not save enough. Sections of a compressed body are aligned from the start of the raw body. */
  #compressed(frame: OutboundFrame, message: Uint8Array, sections: readonly Uint8Array[]): EncodedFrame | null {
    const body = layBody(message, sections, 0);
    const rawBytes = totalBytes(body);
    if (rawBytes < COMPRESS_FROM_BYTES || rawBytes > this.#options.frameBytesMax) return null;
    const packed = deflateRawSync(Buffer.concat(body, rawBytes), { level: DEFLATE_LEVEL });
    if (packed.byteLength > rawBytes * COMPRESSED_SHARE_MAX) return null;
    // The other end takes so high a ratio for an attack on its memory.
    if (rawBytes > packed.byteLength * INFLATE_RATIO_MAX) return null;
    const meta = this.#meta({ ...frame.meta, rawBytes });
    return this.#seal(frame.flags | FLAG_COMPRESSED, frame.requestId, meta, [packed], sections.length);
  }

  #meta(meta: FrameMeta): Uint8Array {
    const fields = meta === EMPTY_META ? null : writeMeta(meta);
    if (fields === null) return new Uint8Array(0);
    const bytes = this.#options.codec.encode(fields);
    if (bytes.byteLength > META_BYTES_MAX) {
      throw illegalArgument(
        `headers of a transport message take [${bytes.byteLength}] bytes, limit [${META_BYTES_MAX}]`,
      );
    }
    return bytes;
  }

  #seal(
    flags: number,
    requestId: number,
    meta: Uint8Array,
    body: readonly Uint8Array[],
    sectionCount: number,
  ): EncodedFrame {
    const bytes = FRAME_HEADER_BYTES + meta.byteLength + totalBytes(body);
    const { frameBytesMax } = this.#options;
    if (bytes > frameBytesMax) {
      throw illegalArgument(`transport message of [${bytes}] bytes exceeds the limit [${frameBytesMax}]`);
    }
    assert(Number.isSafeInteger(requestId) && requestId >= 0, `a frame with the request id ${requestId}`);
    const first = body[0];
    const isShort = first !== undefined && first.byteLength < REFERENCED_FROM_BYTES;
    const headBytes = FRAME_HEADER_BYTES + meta.byteLength + (isShort ? first.byteLength : 0);
    const head = Buffer.allocUnsafe(headBytes);
    head[0] = FRAME_MAGIC_0;
    head[1] = FRAME_MAGIC_1;
    head[2] = PROTOCOL_REVISION;
    head[3] = flags;
    head.writeUInt32BE(bytes - FRAME_HEADER_BYTES + FRAME_COUNTED_HEADER_BYTES, 4);
    head.writeUInt32BE(Math.floor(requestId / U32_RANGE), 8);
    head.writeUInt32BE(requestId % U32_RANGE, 12);
    head.writeUInt32BE(this.#options.version, 16);
    head.writeUInt16BE(meta.byteLength, 24);
    head.writeUInt16BE(sectionCount, 26);
    head.set(meta, FRAME_HEADER_BYTES);
    if (isShort) head.set(first, FRAME_HEADER_BYTES + meta.byteLength);
    const chunks = [head, ...body.slice(isShort ? 1 : 0)];
    assert(totalBytes(chunks) === bytes, `a frame of ${bytes} bytes has chunks of ${totalBytes(chunks)}`);
    head.writeUInt32BE(this.#options.checksum ? checksumOf(chunks) : 0, 20);
    return { chunks, bytes };
  }
}

/** Bytes 2..19 of the header, then everything behind the header. */
function checksumOf(chunks: readonly Uint8Array[]): number {
  let sum = 0;
  chunks.forEach((chunk, i) => {
    if (i > 0) {
      sum = crc32(chunk, sum);
      return;
    }
    sum = crc32(chunk.subarray(FRAME_HEADER_BYTES), crc32(chunk.subarray(2, 20)));
  });
  return sum;
}

/** Padding in front of section data so that it starts at a multiple of 8; `position` counts from the alignment base. */
export function sectionPadding(position: number): number {
  return (SECTION_ALIGNMENT - (position % SECTION_ALIGNMENT)) % SECTION_ALIGNMENT;
}

/** The body in chunks; its first byte will stand at `base`. */
function layBody(message: Uint8Array, sections: readonly Uint8Array[], base: number): Uint8Array[] {
  let position = base + SIZE_FIELD_BYTES + message.byteLength;
  let ownBytes = SIZE_FIELD_BYTES + message.byteLength;
  for (const section of sections) {
    const pad = sectionPadding(position + SIZE_FIELD_BYTES);
    ownBytes += SIZE_FIELD_BYTES + pad + (section.byteLength < REFERENCED_FROM_BYTES ? section.byteLength : 0);
    position += SIZE_FIELD_BYTES + pad + section.byteLength;
  }
  const own = Buffer.allocUnsafe(ownBytes);
  const chunks: Uint8Array[] = [];
  let from = 0; // Start in `own` of the chunk being filled.
  let at = own.writeUInt32BE(message.byteLength, 0);
  own.set(message, at);
  at += message.byteLength;
  position = base + at;
  for (const section of sections) {
    const pad = sectionPadding(position + SIZE_FIELD_BYTES);
    at = own.writeUInt32BE(section.byteLength, at);
    own.fill(0, at, at + pad);
    at += pad;
    if (section.byteLength < REFERENCED_FROM_BYTES) {
      own.set(section, at);
      at += section.byteLength;
    } else {
      chunks.push(own.subarray(from, at), section);
      from = at;
    }
    position += SIZE_FIELD_BYTES + pad + section.byteLength;
  }
  if (from < at) chunks.push(own.subarray(from, at));
  assert(at === ownBytes, `a body laid into ${ownBytes} bytes fills ${at}`);
  return chunks;
}

function totalBytes(chunks: readonly Uint8Array[]): number {
  let sum = 0;
  for (const chunk of chunks) sum += chunk.byteLength;
  return sum;
}
