/**
 * Puts GELF messages together that arrive over UDP in chunks.
 *
 * Anyone can send datagrams, so that everything held here has a limit: chunks of a message, messages that wait for more,
 * their bytes, and how long they wait. Where there is no room the message that began first is given up.
 */
import type { Clock } from '@shoal/runtime';

/** Magic (2 bytes), message id (8), sequence number (1), number of chunks (1). */
const HEADER_BYTES = 12;
const ID_FROM = 2;
const ID_TO = 10;
const CHUNKS_MAX = 128;
/** How long a message waits for its last chunk, from its first; the specification of GELF says so. */
const VALID_MS = 5_000;
const MESSAGES_MAX = 1_000;
const HELD_BYTES_MAX = 64 * 1024 * 1024;
/** Cost of an object that holds a chunk: a flood of empty chunks counts too. */
const CHUNK_OVERHEAD_BYTES = 256;

interface Partial {
  readonly parts: (Uint8Array | undefined)[];
  readonly beganMs: number;
  missing: number;
  bytes: number;
}

export function isGelfChunk(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1e && bytes[1] === 0x0f;
}

export class GelfChunks {
  private readonly clock: Clock;
  private readonly onDropped: () => void;
  /** In the order in which they began: the first is the oldest. */
  private readonly held = new Map<string, Partial>();
  private heldBytes = 0;

  /** @param onDropped called for each chunk that is refused and each message that is given up */
  constructor(clock: Clock, onDropped: () => void) {
    this.clock = clock;
    this.onDropped = onDropped;
  }

  /** The whole message when `chunk` was its last missing one, otherwise null. `sender` keeps ids of different machines apart. */
  add(chunk: Uint8Array, sender: string): Uint8Array | null {
    const now = this.clock.monotonicMs();
    this.expire(now);
    const sequence = chunk[HEADER_BYTES - 2] ?? 0;
    const count = chunk[HEADER_BYTES - 1] ?? 0;
    if (chunk.length <= HEADER_BYTES || count > CHUNKS_MAX || sequence >= count) return this.refused();
    const key = `${sender} ${Buffer.from(chunk.subarray(ID_FROM, ID_TO)).toString('hex')}`;
    const message = this.held.get(key) ?? this.begin(key, count, now);
    if (message.parts.length !== count) return this.refused();
    if (message.parts[sequence] !== undefined) return null;
    // A copy: the datagram's memory may be part of something larger.
    const part = new Uint8Array(chunk.subarray(HEADER_BYTES));
    message.parts[sequence] = part;
    message.bytes += part.length + CHUNK_OVERHEAD_BYTES;
    this.heldBytes += part.length + CHUNK_OVERHEAD_BYTES;
    if (--message.missing > 0) {
      while (this.heldBytes > HELD_BYTES_MAX) this.dropOldest();
      return null;
    }
    this.forget(key, message);
    return Buffer.concat(message.parts.filter((held) => held !== undefined));
  }

  private begin(key: string, count: number, now: number): Partial {
    if (this.held.size >= MESSAGES_MAX) this.dropOldest();
    const message: Partial = { parts: new Array(count), beganMs: now, missing: count, bytes: 0 };
    this.held.set(key, message);
    return message;
  }

  private expire(now: number): void {
    for (const [key, message] of this.held) {
      if (now - message.beganMs < VALID_MS) return;
      this.forget(key, message);
      this.onDropped();
    }
  }

  private dropOldest(): void {
    for (const [key, message] of this.held) {
      this.forget(key, message);
      this.onDropped();
      return;
    }
  }

  private forget(key: string, message: Partial): void {
    this.held.delete(key);
    this.heldBytes -= message.bytes;
  }

  private refused(): null {
    this.onDropped();
    return null;
  }
}
