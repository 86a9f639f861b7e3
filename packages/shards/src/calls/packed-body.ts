/**
 * The body of an answer on its way from a worker to the main thread: all of its sections in one piece of memory.
 *
 * Handing over one buffer costs what it costs, and twenty documents would cost it twenty times. The main thread passes the
 * sections on as views, to a socket or to the coordinator in the same process, and looks into none of them.
 */
import { assert } from '@shoal/core';
import type { WireBody } from '@shoal/transport';

export interface PackedBody {
  readonly message: unknown;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Length of each section, in order. */
  readonly lengths: readonly number[];
}

/** Sections begin where a typed array of any kind may. */
const ALIGNMENT = 8;
/** Smaller memory costs less to copy than to hand over. */
const TRANSFER_BYTES_MIN = 4096;

export function packBody({ message, sections = [] }: WireBody): PackedBody {
  const lengths: number[] = [];
  let size = 0;
  for (const { length } of sections) {
    lengths.push(length);
    size += aligned(length);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const section of sections) {
    bytes.set(section, at);
    at += aligned(section.length);
  }
  return { message, bytes, lengths };
}

export function unpackBody({ message, bytes, lengths }: PackedBody): WireBody {
  let at = 0;
  const sections = lengths.map((length) => {
    const section = bytes.subarray(at, at + length);
    at += aligned(length);
    return section;
  });
  assert(at === bytes.length, `sections of ${at} bytes in a packed body of ${bytes.length}`);
  return { message, sections };
}

/** Memory that holds these bytes alone, made for this message alone: the sender cannot use it any more. */
export function transferablesOf({ buffer, byteLength }: Uint8Array): readonly ArrayBuffer[] {
  const isWorthIt = byteLength >= TRANSFER_BYTES_MIN && buffer instanceof ArrayBuffer;
  return isWorthIt && byteLength === buffer.byteLength ? [buffer] : [];
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}
