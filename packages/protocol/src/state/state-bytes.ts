/**
 * Plain values of the state as bytes: msgpack, then deflate level 1.
 *
 * Made once a publication and shared by all its targets, and once a record for the disk. Reading is bounded: a few
 * compressed bytes cannot ask for more memory than a state may have.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isShoalError, ShoalError } from '@shoal/core';
import { MESSAGE_LIMITS, type MessageLimits, messageFault } from '@shoal/transport';
import { Packr } from 'msgpackr';

/** Largest state, uncompressed, that a node accepts. */
export const STATE_BYTES_MAX: number = 256 * 1024 * 1024;

/** Values of a state: a field of a mapping has five, so that ten thousand indices of four hundred fields each fit. */
const STATE_LIMITS: MessageLimits = { ...MESSAGE_LIMITS, valuesMax: 20_000_000 };

export function packState(value: unknown): Uint8Array {
  return deflateRawSync(packr().pack(value), { level: 1 });
}

/** Throws `malformed_message_exception` for bytes that are no packed state; the value itself is still unchecked. */
export function unpackState(bytes: Uint8Array): unknown {
  try {
    const raw = inflateRawSync(bytes, { maxOutputLength: STATE_BYTES_MAX });
    const fault = messageFault(raw, STATE_LIMITS);
    if (fault !== null) throw unreadable(fault);
    return packr().unpack(raw);
  } catch (error) {
    if (isShoalError(error)) throw error;
    throw unreadable(error instanceof Error ? error.message : String(error));
  }
}

function unreadable(why: string): ShoalError {
  return new ShoalError('malformed_message_exception', 400, `packed state cannot be read: ${why}`);
}

function packr(): Packr {
  // A fresh one a call: it keeps no state with records off, and the module must not either.
  return new Packr({ useRecords: false, encodeUndefinedAsNil: true });
}
