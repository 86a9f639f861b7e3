/**
 * Who a file is by its content: digests of its first bytes, and of those before the position up to which it was read.
 *
 * An inode alone does not say: it is given to another file when its own is gone, and a copy has another. The first bytes tell
 * both, but files of one program may begin alike; for a copy the bytes before the position have to be the same too.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** First bytes that are looked at. Those of a shorter file are looked at again as it grows. */
export const HEAD_BYTES = 1024;
export const TAIL_BYTES = 256;

/** What is asked of an open file. */
export type ReadableFile = Pick<FileHandle, 'read' | 'stat'>;

/** Digest of a range of bytes. */
export interface Digest {
  /** Offset behind the last byte. */
  readonly end: number;
  readonly length: number;
  readonly hash: string;
}

export interface Fingerprint {
  readonly head: Digest;
  /** null before anything was read. */
  readonly tail: Digest | null;
}

export function digestOf(bytes: Uint8Array, end: number): Digest {
  return { end, length: bytes.length, hash: createHash('sha256').update(bytes).digest('hex').slice(0, 32) };
}

/** First bytes of a file, compared with what they were. */
export interface HeadLook {
  /** Whether the bytes that were known are there. */
  readonly isSame: boolean;
  /** null of an empty file. */
  readonly head: Digest | null;
}

export async function lookAtHead(file: ReadableFile, known?: Digest): Promise<HeadLook> {
  const bytes = await bytesAt(file, 0, HEAD_BYTES);
  const head = bytes.length === 0 ? null : digestOf(bytes, bytes.length);
  if (known === undefined) return { isSame: true, head };
  const isSame =
    bytes.length >= known.length && digestOf(bytes.subarray(0, known.length), known.end).hash === known.hash;
  return { isSame, head };
}

/** Digest of the bytes before `end`; null when there are none. */
export async function tailOf(file: ReadableFile, end: number): Promise<Digest | null> {
  const start = Math.max(0, end - TAIL_BYTES);
  const bytes = await bytesAt(file, start, end - start);
  return bytes.length === 0 || bytes.length < end - start ? null : digestOf(bytes, end);
}

/** Whether the file has those bytes at that place; not when it is shorter. */
export async function matches(file: ReadableFile, digest: Digest): Promise<boolean> {
  const bytes = await bytesAt(file, digest.end - digest.length, digest.length);
  return bytes.length === digest.length && digestOf(bytes, digest.end).hash === digest.hash;
}

/** Fewer than `length` where the file ends before. */
export async function bytesAt(file: ReadableFile, start: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** `head.length head.hash`, with `tail.end tail.length tail.hash` behind it. */
export function fingerprintText({ head, tail }: Fingerprint): string {
  const start = `${head.length} ${head.hash}`;
  return tail === null ? start : `${start} ${tail.end} ${tail.length} ${tail.hash}`;
}

/** null for what is no such text. */
export function parseFingerprint(text: string): Fingerprint | null {
  const match = /^(\d{1,4}) ([0-9a-f]{32})(?: (\d{1,15}) (\d{1,3}) ([0-9a-f]{32}))?$/.exec(text);
  if (match === null) return null;
  const [, length, hash = '', end, tailLength, tailHash = ''] = match;
  if (Number(length) > HEAD_BYTES || Number(tailLength ?? 0) > TAIL_BYTES) return null;
  const head = { end: Number(length), length: Number(length), hash };
  if (end === undefined || Number(tailLength) > Number(end)) return { head, tail: null };
  return { head, tail: { end: Number(end), length: Number(tailLength), hash: tailHash } };
}
