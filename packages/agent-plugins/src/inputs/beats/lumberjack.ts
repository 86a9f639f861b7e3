/**
 * The Lumberjack protocol, versions 1 and 2, as Beats speak it: bytes to frames. Pure.
 *
 * `W` opens a window of so many events; `J` is one event in JSON, `D` one as pairs of texts (version 1); `C` holds further
 * frames, compressed. The answer `A` names the last event that is safe.
 */
import { ShoalError } from '@shoal/core';

export const PAYLOAD_BYTES_MAX: number = 128 * 1024 * 1024;
const WINDOW_MAX = 1_000_000;
const PAIRS_MAX = 10_000;

const VERSION_1 = 0x31;
const VERSION_2 = 0x32;

export type LumberjackFrame =
  | { readonly kind: 'window'; readonly count: number; readonly version: number }
  | { readonly kind: 'json'; readonly sequence: number; readonly payload: Uint8Array }
  | { readonly kind: 'pairs'; readonly sequence: number; readonly pairs: ReadonlyMap<string, string> }
  /** Further frames, compressed. */
  | PackedFrame;

export interface PackedFrame {
  readonly kind: 'packed';
  readonly payload: Uint8Array;
}

/** Bytes of what a frame holds. */
export function frameBytes(frame: LumberjackFrame): number {
  if (frame.kind === 'window') return 0;
  if (frame.kind !== 'pairs') return frame.payload.length;
  let bytes = 0;
  for (const [name, value] of frame.pairs) bytes += name.length + value.length;
  return bytes;
}

export class LumberjackReader {
  /** Pieces of a frame that is not whole. */
  private held: Uint8Array[] = [];
  private heldBytes = 0;
  /** Bytes below which the held frame is not whole. */
  private wantedBytes = 0;
  private readonly isInner: boolean;

  /** @param isInner its bytes were compressed in a frame: none of its own may be */
  constructor(isInner = false) {
    this.isInner = isInner;
  }

  /** Bytes of a frame that is not whole. */
  get pendingBytes(): number {
    return this.heldBytes;
  }

  /** Frames that are whole now. @throws ShoalError when the bytes are none of this protocol */
  push(chunk: Uint8Array): LumberjackFrame[] {
    this.held.push(chunk);
    this.heldBytes += chunk.length;
    // A long frame comes in thousands of pieces: to join them at each would take quadratic time.
    if (this.heldBytes < this.wantedBytes) return [];
    const frames: LumberjackFrame[] = [];
    const cut = this.cut(Buffer.concat(this.held));
    let next = cut.next();
    for (; next.done !== true; next = cut.next()) frames.push(next.value);
    const rest = next.value;
    this.held = rest.length === 0 ? [] : [rest];
    this.heldBytes = rest.length;
    return frames;
  }

  /** Whole frames at the start of `bytes`. @returns what is left behind them */
  *cut(bytes: Buffer): Generator<LumberjackFrame, Buffer, void> {
    let rest = bytes;
    const frames: LumberjackFrame[] = [];
    for (let size = this.frame(rest, frames); size > 0; size = this.frame(rest, frames)) {
      rest = rest.subarray(size);
      const frame = frames.pop();
      if (frame !== undefined) yield frame;
    }
    return rest;
  }

  /** Bytes of the frame at the start of `bytes`; 0 when it is not whole, and `wantedBytes` says what it needs at least. */
  private frame(bytes: Buffer, frames: LumberjackFrame[]): number {
    this.wantedBytes = 6;
    if (bytes.length < 6) return 0;
    const version = bytes[0] ?? 0;
    if (version !== VERSION_1 && version !== VERSION_2) throw broken(`version byte ${version}`);
    const first = bytes.readUInt32BE(2);
    switch (String.fromCharCode(bytes[1] ?? 0)) {
      case 'W':
        if (first > WINDOW_MAX) throw broken(`a window of ${first}`);
        frames.push({ kind: 'window', count: first, version });
        return 6;
      case 'C':
        return this.compressed(bytes, first, frames);
      case 'J': {
        const end = this.whole(bytes, payloadEnd(10, bytes.length < 10 ? 0 : bytes.readUInt32BE(6)));
        if (end > 0) frames.push({ kind: 'json', sequence: first, payload: bytes.subarray(10, end) });
        return end;
      }
      case 'D':
        return this.whole(bytes, pairsFrame(bytes, first, frames));
      default:
        throw broken(`frame type ${bytes[1]}`);
    }
  }

  private compressed(bytes: Buffer, length: number, frames: LumberjackFrame[]): number {
    if (this.isInner) throw broken('compressed frames in compressed frames');
    const end = this.whole(bytes, payloadEnd(6, length));
    if (end === 0) return 0;
    frames.push({ kind: 'packed', payload: bytes.subarray(6, end) });
    return end;
  }

  /** `end` when the bytes go so far; else 0, and so much is wanted. */
  private whole(bytes: Buffer, end: number): number {
    if (end <= bytes.length) return end;
    this.wantedBytes = end;
    return 0;
  }
}

function payloadEnd(start: number, length: number): number {
  if (length > PAYLOAD_BYTES_MAX) throw broken(`a payload of ${length} bytes`);
  return start + length;
}

/** End of the frame; of one that is not whole, the least that more of it needs. */
function pairsFrame(bytes: Buffer, sequence: number, frames: LumberjackFrame[]): number {
  if (bytes.length < 10) return 10;
  const count = bytes.readUInt32BE(6);
  if (count > PAIRS_MAX) throw broken(`${count} pairs`);
  const texts: string[] = [];
  let at = 10;
  while (texts.length < count * 2) {
    if (bytes.length < at + 4) return at + 4;
    const end = payloadEnd(at + 4, bytes.readUInt32BE(at));
    if (end > PAYLOAD_BYTES_MAX) throw broken(`pairs of ${end} bytes`);
    if (end > bytes.length) return end;
    texts.push(bytes.toString('utf8', at + 4, end));
    at = end;
  }
  const pairs = new Map<string, string>();
  for (let i = 0; i < texts.length; i += 2) pairs.set(texts[i] ?? '', texts[i + 1] ?? '');
  frames.push({ kind: 'pairs', sequence, pairs });
  return at;
}

/** Everything up to `sequence` is safe; 0 says only that we live. */
export function ackFrame(version: number, sequence: number): Uint8Array {
  const frame = Buffer.from([version, 0x41, 0, 0, 0, 0]);
  frame.writeUInt32BE(sequence, 2);
  return frame;
}

export function broken(what: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `not the Lumberjack protocol: ${what}`);
}
