/**
 * The frames that came compressed in one: unpacked when it is their turn, many of them by another thread, and read one by one, so that a
 * window of a million events holds nobody.
 */
import { promisify } from 'node:util';
import { inflate, inflateSync } from 'node:zlib';
import {
  broken,
  frameBytes,
  type LumberjackFrame,
  LumberjackReader,
  PAYLOAD_BYTES_MAX,
  type PackedFrame,
} from './lumberjack.ts';

/** Packed bytes that are unpacked at once: another thread would take longer to be asked. */
const AT_ONCE_BYTES_MAX = 16 * 1024;
const LIMIT = { maxOutputLength: PAYLOAD_BYTES_MAX };

const inflated = promisify(inflate);

export class PackedFrames {
  private frames: Iterator<LumberjackFrame, void> | null = null;
  private bytes = 0;

  /** Unpacked bytes that are not read yet. */
  get pendingBytes(): number {
    return this.bytes;
  }

  /** Rejects what is not packed, and what unpacks to too much. */
  async open({ payload }: PackedFrame): Promise<void> {
    const bytes = payload.length <= AT_ONCE_BYTES_MAX ? inflateSync(payload, LIMIT) : await inflated(payload, LIMIT);
    this.bytes = bytes.length;
    this.frames = framesIn(bytes);
  }

  /** null behind the last. @throws ShoalError when the bytes are none of this protocol, or end within a frame */
  next(): LumberjackFrame | null {
    if (this.frames === null) return null;
    const next = this.frames.next();
    if (next.done === true) this.drop();
    else this.bytes -= frameBytes(next.value);
    return next.done === true ? null : next.value;
  }

  drop(): void {
    this.frames = null;
    this.bytes = 0;
  }
}

function* framesIn(bytes: Buffer): Generator<LumberjackFrame, void, void> {
  const rest = yield* new LumberjackReader(true).cut(bytes);
  if (rest.length > 0) throw broken('a compressed frame that ends too early');
}
