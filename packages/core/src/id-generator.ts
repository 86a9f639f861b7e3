/**
 * Ids that are made without asking anybody: time-based document ids (20 characters) and random UUIDs (22 characters).
 *
 * Time and randomness are handed in, so that a simulated node makes the same ids in every replay. Ids of one generator
 * grow with time in their bytes, which keeps neighbours together on disk.
 */
import { assert } from './errors/assert.ts';

const NODE_BYTES = 6;
const TIME_BYTES = 6;
const SEQUENCE_BYTES = 3;
const SEQUENCE_COUNT = 2 ** 24;
const UUID_BYTES = 16;
const TIME_CHARS = 8;
const SEQUENCE_CHARS = 4;
const BITS_A_CHAR = 6;
const BASE64_MASK = 0x3f;
const BASE64: Uint8Array = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
/** Characters of an id that an `IdGenerator` makes. */
export const DOCUMENT_ID_CHARS = 20;

/** Document ids: 6 bytes of milliseconds, 3 of a sequence, 6 that stand for this generator; base64url. */
export class IdGenerator {
  /** The id made last; its three parts are whole groups of base64 each. */
  readonly #chars: Uint8Array = new Uint8Array(DOCUMENT_ID_CHARS);
  #sequence: number;
  #lastMs = 0;
  /** The time that stands in `#chars`. */
  #writtenMs = -1;

  /**
   * @param randomBytes 9 random bytes: 6 name this generator, 3 start the sequence
   */
  constructor(randomBytes: Uint8Array) {
    assert(randomBytes.length === NODE_BYTES + SEQUENCE_BYTES, `9 random bytes wanted, got ${randomBytes.length}`);
    const node = Buffer.from(randomBytes.slice(0, NODE_BYTES)).toString('base64url');
    this.#chars.set(Buffer.from(node, 'latin1'), TIME_CHARS + SEQUENCE_CHARS);
    const [a = 0, b = 0, c = 0] = randomBytes.subarray(NODE_BYTES);
    this.#sequence = a * 65_536 + b * 256 + c;
  }

  /** @param wallMs time of day; when it went back the newest seen so far stands in for it */
  next(wallMs: number): string {
    const id = new Uint8Array(DOCUMENT_ID_CHARS);
    this.nextInto(id, 0, wallMs);
    return Buffer.from(id.buffer).toString('latin1');
  }

  /**
   * Writes an id of 20 bytes at `start` of `target`. Ids of one millisecond differ in four characters; the others are
   * computed once for all of them.
   *
   * @returns where it ends
   */
  nextInto(target: Uint8Array, start: number, wallMs: number): number {
    this.#sequence = (this.#sequence + 1) % SEQUENCE_COUNT;
    const ms = Math.max(this.#lastMs, wallMs);
    // The sequence came round: the next millisecond keeps ids unique within one generator.
    this.#lastMs = this.#sequence === 0 ? ms + 1 : ms;
    if (this.#lastMs !== this.#writtenMs) this.#writeTime();
    const chars = this.#chars;
    for (let i = 0; i < SEQUENCE_CHARS; i++) {
      const bits = this.#sequence >>> (BITS_A_CHAR * (SEQUENCE_CHARS - 1 - i));
      chars[TIME_CHARS + i] = BASE64[bits & BASE64_MASK] as number;
    }
    for (let i = 0; i < DOCUMENT_ID_CHARS; i++) target[start + i] = chars[i] as number;
    return start + DOCUMENT_ID_CHARS;
  }

  #writeTime(): void {
    const bytes = Buffer.alloc(TIME_BYTES);
    bytes.writeUIntBE(this.#lastMs, 0, TIME_BYTES);
    this.#chars.set(Buffer.from(bytes.toString('base64url'), 'latin1'));
    this.#writtenMs = this.#lastMs;
  }
}

/** A version 4 UUID of 16 random bytes, as base64url text without padding. */
export function randomUuid(randomBytes: Uint8Array): string {
  assert(randomBytes.length === UUID_BYTES, `16 random bytes wanted, got ${randomBytes.length}`);
  const bytes = Buffer.from(randomBytes);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('base64url');
}
