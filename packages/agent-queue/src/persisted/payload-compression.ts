/**
 * Payloads of a persisted queue made smaller on disk. Each record says for itself whether it is, so that the setting may change
 * between two starts.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { RECORD_BYTES_MAX } from './page-format.ts';

export type QueueCompression = 'none' | 'speed' | 'balanced' | 'size';

const LEVELS: Readonly<Record<Exclude<QueueCompression, 'none'>, number>> = { speed: 1, balanced: 6, size: 9 };

export interface PackedPayload {
  readonly payload: Uint8Array;
  readonly isCompressed: boolean;
}

/** Compresses a payload unless that makes it longer, as it does for small events. */
export function packPayload(payload: Uint8Array, compression: QueueCompression): PackedPayload {
  if (compression === 'none') return { payload, isCompressed: false };
  const smaller = deflateRawSync(payload, { level: LEVELS[compression] });
  if (smaller.byteLength >= payload.byteLength) return { payload, isCompressed: false };
  return { payload: smaller, isCompressed: true };
}

/** A copy in any case: what it was read from is used again. */
export function unpackPayload({ payload, isCompressed }: PackedPayload): Uint8Array {
  if (!isCompressed) return payload.slice();
  // In memory of its own: it is handed on to another thread as a whole.
  return new Uint8Array(inflateRawSync(payload, { maxOutputLength: RECORD_BYTES_MAX }));
}
