/**
 * The layout of a frame on 9300: a fixed header of 28 bytes, then meta, then body; big-endian.
 *
 *   0 magic (2) · 2 revision (1) · 3 flags (1) · 4 bytes after offset 8 (4) · 8 request id (8) · 16 sender's version id (4)
 *   20 CRC32 of bytes 2..19 and of meta and body as sent (4) · 24 meta bytes (2) · 26 section count (2)
 *
 * The first magic byte is neither an ASCII letter nor the first byte of TLS, so foreign protocols are told apart at once.
 */
import type { ValueReader } from '@shoal/core';

export const FRAME_MAGIC_0 = 0xe5;
export const FRAME_MAGIC_1 = 0x53;
export const PROTOCOL_REVISION = 1;

export const FRAME_HEADER_BYTES = 28;
/** Magic to length: what is needed to refuse a frame before anything is allocated for it. */
export const FRAME_PREFIX_BYTES = 8;
/** Header bytes that the length field counts. */
export const FRAME_COUNTED_HEADER_BYTES: number = FRAME_HEADER_BYTES - FRAME_PREFIX_BYTES;
export const META_BYTES_MAX = 16_384;
export const SECTIONS_MAX = 0xffff;
export const SECTION_ALIGNMENT = 8;
/** A compressed body may not claim to grow by more than this. */
export const INFLATE_RATIO_MAX = 200;

export const FLAG_REQUEST = 1;
export const FLAG_ERROR = 2;
export const FLAG_COMPRESSED = 4;
export const FLAG_HANDSHAKE = 8;
// 16 is STREAM, more frames with this id follow: reserved, streams of large payloads are not sent yet.
export const FLAG_CANCEL = 32;
export const FLAG_PING = 64;
export const FLAG_PONG = 128;

export interface FrameHeader {
  readonly flags: number;
  /** Id of the request that this frame asks or answers: below 2^53, unique per sender and connection. */
  readonly requestId: number;
  /** Sender's product version: major·10^6 + minor·10^4 + patch·10^2. */
  readonly version: number;
  /** Bytes after the prefix: 20 header bytes, meta, body. */
  readonly lengthBytes: number;
  readonly checksum: number;
  readonly metaBytes: number;
  readonly sectionCount: number;
}

export interface FrameMeta {
  /** Name of the action; set in requests. */
  readonly action: string | null;
  readonly timeoutMs: number | null;
  readonly parentTask: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Size of the body before compression; set when compressed. */
  readonly rawBytes: number | null;
}

export const EMPTY_META: FrameMeta = { action: null, timeoutMs: null, parentTask: null, headers: {}, rawBytes: null };

/** Headers of one request (X-Opaque-Id, traceparent, user). */
export const HEADERS_MAX = 32;
const TIMEOUT_MS_MAX = Number.MAX_SAFE_INTEGER;
const RAW_BYTES_MAX = 2 ** 31;

export function writeMeta(meta: FrameMeta): Record<string, unknown> | null {
  const out: Record<string, unknown> = {};
  if (meta.action !== null) out.a = meta.action;
  if (meta.timeoutMs !== null) out.t = meta.timeoutMs;
  if (meta.parentTask !== null) out.p = meta.parentTask;
  if (meta.rawBytes !== null) out.z = meta.rawBytes;
  if (Object.keys(meta.headers).length > 0) out.h = meta.headers;
  return Object.keys(out).length === 0 ? null : out;
}

export function readMeta(r: ValueReader, readHeader: (value: unknown, field: string) => string): FrameMeta {
  return {
    action: r.optionalString('a'),
    timeoutMs: r.optionalInteger('t', 0, TIMEOUT_MS_MAX),
    parentTask: r.optionalString('p'),
    headers: r.has('h') ? r.map('h', readHeader, HEADERS_MAX) : {},
    rawBytes: r.optionalInteger('z', 0, RAW_BYTES_MAX),
  };
}

export type FrameErrorKind = 'http' | 'foreign' | 'revision' | 'tooLong' | 'damaged' | 'handshake';

/** The byte stream of a socket is not, or no longer, one of frames: the socket is closed, the node goes on. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
  readonly kind: FrameErrorKind;
  constructor(kind: FrameErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
