/**
 * Turns the bytes of one socket into frames, whatever the cuts between chunks: a state machine that knows no socket.
 *
 * Sizes are refused before anything is allocated for them, and the owner is asked (`admit`) before the body is. A body
 * lives in a buffer of its own whose alignment makes sections usable as typed arrays in place.
 */
import { crc32 } from 'node:zlib';
import { assert, ValueReader } from '@shoal/core';
import type { MessageCodec } from '../messages/message-codec.ts';
import { foreignProtocol } from './foreign-protocol.ts';
import {
  EMPTY_META,
  FLAG_COMPRESSED,
  FRAME_COUNTED_HEADER_BYTES,
  FRAME_HEADER_BYTES,
  FRAME_MAGIC_0,
  FRAME_MAGIC_1,
  FRAME_PREFIX_BYTES,
  FrameError,
  type FrameHeader,
  type FrameMeta,
  INFLATE_RATIO_MAX,
  META_BYTES_MAX,
  PROTOCOL_REVISION,
  readMeta,
  SECTION_ALIGNMENT,
} from './frame.ts';
import { inflateBody, splitBody } from './frame-body.ts';

export interface InboundFrame {
  readonly header: FrameHeader;
  readonly meta: FrameMeta;
  readonly message: unknown;
  readonly sections: readonly Uint8Array[];
}

export interface FrameSink {
  /** May the body be read into memory? `bytes` is what it will hold, decompressed too. False: it is skipped. */
  admit(header: FrameHeader, meta: FrameMeta, bytes: number): boolean;
  frame(frame: InboundFrame): void;
  /** The body was skipped to its end. */
  skipped(header: FrameHeader, meta: FrameMeta): void;
  /** Framing and checksum are right, but the message is not well formed. */
  unreadable(header: FrameHeader, meta: FrameMeta, reason: string): void;
}

export interface FrameDecoderOptions {
  readonly codec: MessageCodec;
  readonly frameBytesMax: number;
  readonly checksum: boolean;
}

type Phase = 'header' | 'meta' | 'body' | 'skip' | 'stopped';

const U32_RANGE = 0x1_0000_0000;
const REQUEST_ID_HIGH_MAX = 2 ** 21; // 2^53 / 2^32

export class FrameDecoder {
  readonly #options: FrameDecoderOptions;
  readonly #sink: FrameSink;
  readonly #head = Buffer.alloc(FRAME_HEADER_BYTES);
  #frameBytesMax: number;
  #phase: Phase = 'header';
  #header: FrameHeader | null = null;
  #meta: FrameMeta = EMPTY_META;
  #metaChecksum = 0;
  /** Buffer that the current phase fills; `#filled` bytes of it are. */
  #target: Uint8Array = this.#head;
  #filled = 0;
  #skipLeft = 0;
  #isHeld = false;

  constructor(sink: FrameSink, options: FrameDecoderOptions) {
    this.#sink = sink;
    this.#options = options;
    this.#frameBytesMax = options.frameBytesMax;
  }

  /** The handshake has a smaller limit than what follows it. */
  setFrameBytesMax(bytes: number): void {
    this.#frameBytesMax = bytes;
  }

  /** Ignores everything from here on, also the rest of a chunk being read. */
  stop(): void {
    this.#phase = 'stopped';
    this.#target = this.#head;
  }

  /** Part of a frame has arrived and the rest has not. */
  get isInsideFrame(): boolean {
    return this.#phase !== 'stopped' && (this.#phase !== 'header' || this.#filled > 0);
  }

  /** Takes no byte after the frame being read until `release`. Called from within the sink. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
  }

  /**
   * Returns how many bytes were taken: all, unless the sink held the decoder.
   * Throws `FrameError` when the stream cannot be read on; the decoder is stopped then.
   */
  push(chunk: Uint8Array): number {
    try {
      let at = 0;
      while (at < chunk.byteLength && this.#phase !== 'stopped') {
        if (this.#isHeld && !this.isInsideFrame) return at;
        at += this.#take(chunk, at);
      }
      return chunk.byteLength;
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  /** Consumes at least one byte. */
  #take(chunk: Uint8Array, at: number): number {
    const available = chunk.byteLength - at;
    if (this.#phase === 'skip') {
      const skipped = Math.min(available, this.#skipLeft);
      this.#skipLeft -= skipped;
      if (this.#skipLeft === 0) this.#endSkip();
      return skipped;
    }
    const isPrefix = this.#phase === 'header' && this.#filled < FRAME_PREFIX_BYTES;
    const wanted = (isPrefix ? FRAME_PREFIX_BYTES : this.#target.byteLength) - this.#filled;
    const taken = Math.min(available, wanted);
    this.#target.set(chunk.subarray(at, at + taken), this.#filled);
    this.#filled += taken;
    if (taken === wanted) this.#advance(isPrefix);
    return taken;
  }

  #advance(isPrefix: boolean): void {
    if (isPrefix) {
      this.#checkPrefix();
      return;
    }
    if (this.#phase === 'header') this.#readHeader();
    else if (this.#phase === 'meta') this.#readMeta();
    else if (this.#phase === 'body') this.#readBody();
  }

  #checkPrefix(): void {
    const head = this.#head;
    if (head[0] !== FRAME_MAGIC_0 || head[1] !== FRAME_MAGIC_1) {
      throw foreignProtocol(head.subarray(0, FRAME_PREFIX_BYTES));
    }
    const revision = head[2] as number; // The head is 28 bytes long.
    if (revision !== PROTOCOL_REVISION) {
      throw new FrameError('revision', unsupportedRevision(revision));
    }
    const length = head.readUInt32BE(4);
    if (length < FRAME_COUNTED_HEADER_BYTES) {
      throw new FrameError('damaged', `invalid data length [${length}]: a frame has at least a header`);
    }
    if (length + FRAME_PREFIX_BYTES > this.#frameBytesMax) {
      throw new FrameError(
        'tooLong',
        `transport content length received [${length}] exceeded [${this.#frameBytesMax}]`,
      );
    }
  }

  #readHeader(): void {
    const head = this.#head;
    const idHigh = head.readUInt32BE(8);
    const header: FrameHeader = {
      flags: head[3] as number, // The head is 28 bytes long.
      lengthBytes: head.readUInt32BE(4),
      requestId: idHigh * U32_RANGE + head.readUInt32BE(12),
      version: head.readUInt32BE(16),
      checksum: head.readUInt32BE(20),
      metaBytes: head.readUInt16BE(24),
      sectionCount: head.readUInt16BE(26),
    };
    if (idHigh >= REQUEST_ID_HIGH_MAX) throw new FrameError('damaged', 'request id is above 2^53');
    const behind = header.lengthBytes - FRAME_COUNTED_HEADER_BYTES;
    assert(behind >= 0, `frame ${header.requestId} of ${header.lengthBytes} bytes passed the check of its prefix`);
    if (header.metaBytes > META_BYTES_MAX || header.metaBytes > behind) {
      throw new FrameError('damaged', `meta of [${header.metaBytes}] bytes does not fit a frame of [${behind}]`);
    }
    this.#header = header;
    this.#meta = EMPTY_META;
    this.#metaChecksum = this.#options.checksum ? crc32(head.subarray(2, 20)) : 0;
    if (header.metaBytes === 0) this.#beginBody(header);
    else this.#begin('meta', new Uint8Array(header.metaBytes));
  }

  #readMeta(): void {
    const header = this.#current();
    const decoded = this.#options.codec.decode(this.#target);
    if (decoded.kind === 'fault') throw new FrameError('damaged', `frame meta cannot be read: ${decoded.reason}`);
    if (this.#options.checksum) this.#metaChecksum = crc32(this.#target, this.#metaChecksum);
    try {
      this.#meta = readMeta(ValueReader.of(decoded.value, 'meta'), ValueReader.asString);
    } catch (error) {
      throw new FrameError('damaged', `frame meta cannot be read: ${error instanceof Error ? error.message : error}`);
    }
    this.#beginBody(header);
  }

  #beginBody(header: FrameHeader): void {
    const bodyBytes = bodyBytesOf(header);
    const rawBytes = this.#rawBytes(header, bodyBytes);
    if (!this.#sink.admit(header, this.#meta, header.lengthBytes + rawBytes)) {
      this.#phase = 'skip';
      this.#skipLeft = bodyBytes;
      if (bodyBytes === 0) this.#endSkip();
      return;
    }
    // Section data is aligned from the start of the frame, so the body starts where it would in an aligned frame.
    const shift = (header.flags & FLAG_COMPRESSED) !== 0 ? 0 : bodyShift(header);
    this.#begin('body', Buffer.allocUnsafeSlow(shift + bodyBytes).subarray(shift));
    if (bodyBytes === 0) this.#readBody();
  }

  /** Extra bytes that a compressed body will need. */
  #rawBytes(header: FrameHeader, bodyBytes: number): number {
    if ((header.flags & FLAG_COMPRESSED) === 0) return 0;
    const raw = this.#meta.rawBytes;
    if (raw === null) throw new FrameError('damaged', 'a compressed frame does not say its raw size');
    if (raw > this.#frameBytesMax || raw > bodyBytes * INFLATE_RATIO_MAX) {
      throw new FrameError('tooLong', `compressed frame of [${bodyBytes}] bytes claims a raw size of [${raw}]`);
    }
    return raw;
  }

  #readBody(): void {
    const header = this.#current();
    const meta = this.#meta;
    const sent = this.#target;
    if (this.#options.checksum && crc32(sent, this.#metaChecksum) !== header.checksum) {
      throw new FrameError('damaged', `checksum of frame [${header.requestId}] does not match`);
    }
    this.#begin('header', this.#head);
    const isCompressed = (header.flags & FLAG_COMPRESSED) !== 0;
    const body = isCompressed ? inflateBody(sent, meta.rawBytes ?? 0, header.sectionCount > 0) : sent;
    const parts = splitBody(body, header.sectionCount, isCompressed ? 0 : bodyShift(header));
    const decoded = this.#options.codec.decode(parts.message);
    if (parts.message.byteLength > 0 && decoded.kind === 'fault') {
      this.#sink.unreadable(header, meta, decoded.reason);
      return;
    }
    const message = decoded.kind === 'value' ? decoded.value : null;
    this.#sink.frame({ header, meta, message, sections: parts.sections });
  }

  #endSkip(): void {
    const header = this.#current();
    this.#begin('header', this.#head);
    this.#sink.skipped(header, this.#meta);
  }

  #begin(phase: Phase, target: Uint8Array): void {
    this.#phase = phase;
    this.#target = target;
    this.#filled = 0;
  }

  #current(): FrameHeader {
    assert(this.#header !== null, `phase ${this.#phase} without a frame header`);
    return this.#header;
  }
}

/** The text users see when two revisions of the protocol meet. */
export function unsupportedRevision(revision: number): string {
  return `Received message from unsupported version: [${revision}] minimal compatible version is: [${PROTOCOL_REVISION}]`;
}

function bodyBytesOf(header: FrameHeader): number {
  return header.lengthBytes - FRAME_COUNTED_HEADER_BYTES - header.metaBytes;
}

function bodyShift(header: FrameHeader): number {
  return (FRAME_HEADER_BYTES + header.metaBytes) % SECTION_ALIGNMENT;
}
