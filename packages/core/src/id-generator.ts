/**
 * Ids that are made without asking anybody: time-based document ids (20 characters) and random UUIDs (22 characters).
 *
 * Time and randomness are handed in, so that a simulated node makes the same ids in every replay. Ids of one generator
 * grow with time in their bytes, which keeps neighbours together on disk.
 */
import { assert } from './assert.ts';

const NODE_BYTES = 6;
const TIME_BYTES = 6;
const SEQUENCE_BYTES = 3;
const SEQUENCE_COUNT = 2 ** 24;
const UUID_BYTES = 16;

/** Document ids: 6 bytes of milliseconds, 3 of a sequence, 6 that stand for this generator; base64url. */
export class IdGenerator {
  readonly #node: Uint8Array;
  #sequence: number;
  #lastMs = 0;

  /**
   * @param randomBytes 9 random bytes: 6 name this generator, 3 start the sequence
   */
  constructor(randomBytes: Uint8Array) {
    assert(randomBytes.length === NODE_BYTES + SEQUENCE_BYTES, `9 random bytes wanted, got ${randomBytes.length}`);
    this.#node = randomBytes.slice(0, NODE_BYTES);
    const [a = 0, b = 0, c = 0] = randomBytes.subarray(NODE_BYTES);
    this.#sequence = a * 65_536 + b * 256 + c;
  }

  /** @param wallMs time of day; when it went back the newest seen so far stands in for it */
  next(wallMs: number): string {
    this.#sequence = (this.#sequence + 1) % SEQUENCE_COUNT;
    this.#lastMs = Math.max(this.#lastMs, wallMs);
    // The sequence came round: the next millisecond keeps ids unique within one generator.
    if (this.#sequence === 0) this.#lastMs++;
    const bytes = Buffer.alloc(TIME_BYTES + SEQUENCE_BYTES + NODE_BYTES);
    bytes.writeUIntBE(this.#lastMs, 0, TIME_BYTES);
    bytes.writeUIntBE(this.#sequence, TIME_BYTES, SEQUENCE_BYTES);
    bytes.set(this.#node, TIME_BYTES + SEQUENCE_BYTES);
    return bytes.toString('base64url');
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
