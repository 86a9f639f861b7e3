/**
 * The memory in which a thread's segments are written: one WebAssembly memory of its own, whose regions go from one segment
 * to the next.
 *
 * It never shrinks, so that it is bounded twice: shards finish their segments early when all of them together hold much
 * (`isUnderPressure`), and beyond `BYTES_MAX` documents are refused.
 */
import { assert, type GrowingMemory, growMemory, ShoalError, WASM_PAGE_BYTES } from '@shoal/core';
import { type HashSecret, OPEN_SECRET } from '../bytes/hash-secret.ts';
import { type Lz4Encoder, lz4Bound } from '../bytes/lz4.ts';
import type { TermEncoding } from '../bytes/term-table.ts';
import { type IndexingKernels, loadIndexingKernels } from '../kernels/indexing-kernels.ts';
import { RegionAllocator } from './region-allocator.ts';

/** With so much in it no further document is taken; what is in it can still be finished. */
const BYTES_MAX = 1024 * 1024 * 1024;
/** All that 32-bit addresses reach. */
const ADDRESSES_END = 2 ** 32;
/** From here on no segment of the thread should grow any more. */
const MEMORY_PRESSURE_BYTES = 192 * 1024 * 1024;
/** The module's own data stands before. */
const REGIONS_START = WASM_PAGE_BYTES;
const GROW_BYTES_MIN = 1024 * 1024;
const GROW_SHARE = 8;
const INPUT_BYTES_MIN = 16 * 1024;
/** Bytes that a UTF-16 unit takes at most in UTF-8. */
const UTF8_BYTES_MAX = 3;
/** Kernels read some bytes behind what they are given. */
const OVERRUN_BYTES = 64;
/** Shorter terms are copied by hand. */
const SHORT_TERM = 16;
const ASCII_MAX = 0x7f;

const encoder = new TextEncoder();

/** null where there are no kernels. */
export function createIndexingMemory(secret: HashSecret = OPEN_SECRET): IndexingMemory | null {
  const loaded = loadIndexingKernels();
  return loaded && new IndexingMemory(loaded.kernels, loaded.memory, secret);
}

export class IndexingMemory {
  readonly kernels: IndexingKernels;
  /** Secret of the tables of terms. */
  readonly secret: HashSecret;
  private readonly memory: GrowingMemory;
  private readonly regions: RegionAllocator;
  /** View of the whole memory; replaced when the memory has grown. */
  bytes: Uint8Array;
  /** What is handed to the kernels: a term, a text, documents; and what they make of a text or documents. */
  private input: { readonly address: number; readonly bytes: Uint8Array } = { address: 0, bytes: new Uint8Array(0) };
  private prepared = { address: 0, length: 0 };
  readonly lz4: Pick<Lz4Encoder, 'encode'> = { encode: (raw, into) => this.encodeLz4(raw, into) };

  constructor(kernels: IndexingKernels, memory: GrowingMemory, secret: HashSecret) {
    this.secret = secret;
    this.kernels = kernels;
    this.memory = memory;
    this.bytes = new Uint8Array(memory.buffer);
    this.regions = new RegionAllocator(REGIONS_START, (length) => this.growTo(length));
  }

  get usedBytes(): number {
    return this.regions.usedBytes;
  }

  get isUnderPressure(): boolean {
    return this.usedBytes > MEMORY_PRESSURE_BYTES;
  }

  private growTo(length: number): boolean {
    const now = this.memory.buffer.byteLength;
    if (length <= now) return true;
    if (length > ADDRESSES_END) return false;
    const ideal = Math.min(ADDRESSES_END, Math.max(length, now + GROW_BYTES_MIN, now + now / GROW_SHARE));
    return (
      this.growBy(Math.ceil((ideal - now) / WASM_PAGE_BYTES)) ||
      this.growBy(Math.ceil((length - now) / WASM_PAGE_BYTES))
    );
  }

  private growBy(pages: number): boolean {
    if (!growMemory(this.memory, pages)) return false;
    this.bytes = new Uint8Array(this.memory.buffer);
    return true;
  }

  /**
   * Asked before a document is taken.
   *
   * @throws ShoalError circuit_breaking_exception when all that is being written takes too much
   */
  checkRoom(): void {
    if (this.usedBytes > BYTES_MAX) throw noRoom(this.usedBytes);
  }

  /**
   * The address of so many bytes of any content, aligned to 64.
   *
   * @throws ShoalError circuit_breaking_exception when the machine has no more, or a document takes all there is
   */
  allocate(bytes: number): number {
    const address = this.regions.allocate(bytes + OVERRUN_BYTES);
    if (address === 0) throw noRoom(this.usedBytes + bytes);
    return address;
  }

  release(address: number): void {
    this.regions.release(address);
  }

  /** A view; valid as long as the region. */
  wordsAt(address: number, length: number): Uint32Array {
    return new Uint32Array(this.memory.buffer, address, length);
  }

  /** Where the term or text is that was written last. */
  get inputAddress(): number {
    return this.input.address;
  }

  /** Hands a term to the kernels; answers its length in bytes. */
  writeTerm(term: string, encoding: TermEncoding): number {
    const { length } = term;
    if (length > SHORT_TERM && encoding === 'utf8') return this.writeText(term);
    this.reserveInput(length * UTF8_BYTES_MAX);
    const { bytes } = this.input;
    let union = 0;
    for (let i = 0; i < length; i++) {
      const code = term.charCodeAt(i);
      union |= code;
      bytes[i] = code;
    }
    return union > ASCII_MAX && encoding === 'utf8' ? this.writeText(term) : length;
  }

  /** Hands a text to the kernels as UTF-8; answers its length in bytes. */
  writeText(text: string): number {
    this.reserveInput(text.length * UTF8_BYTES_MAX);
    return encoder.encodeInto(text, this.input.bytes).written;
  }

  /** Hands text to the kernels that is bytes already; answers their number. */
  writeBytes(bytes: Uint8Array): number {
    this.reserveInput(bytes.length);
    this.input.bytes.set(bytes);
    return bytes.length;
  }

  private reserveInput(length: number): void {
    if (length <= this.input.bytes.length) return;
    const bytes = Math.max(INPUT_BYTES_MIN, length, this.input.bytes.length * 2);
    const address = this.allocate(bytes);
    if (this.input.address !== 0) this.release(this.input.address);
    this.input = { address, bytes: this.bytes.subarray(address, address + bytes) };
  }

  private reservePrepared(wanted: number): number {
    if (wanted > this.prepared.length) {
      const bytes = Math.max(INPUT_BYTES_MIN, wanted, this.prepared.length * 2);
      const address = this.allocate(bytes);
      if (this.prepared.address !== 0) this.release(this.prepared.address);
      this.prepared = { address, length: bytes };
    }
    return this.prepared.address;
  }

  /** Makes the text that was written last ready to be cut; its address, or 0 when it is not all ASCII. */
  prepareText(length: number, lowercases: boolean): number {
    const { kernels } = this;
    const address = this.reservePrepared(kernels.preparedBytes(length));
    assert(this.input.address !== 0, 'no text was written');
    assert(
      length <= this.input.bytes.length,
      `text of ${length} bytes, of which ${this.input.bytes.length} were written`,
    );
    return kernels.prepareText(this.input.address, length, address, lowercases ? 1 : 0) === 0 ? 0 : address;
  }

  /** Encodes `raw` into `into`, which has room, like `Lz4Encoder` does in JavaScript; returns the number of bytes written. */
  private encodeLz4(raw: Uint8Array, into: Uint8Array): number {
    this.writeBytes(raw);
    const encoded = this.reservePrepared(lz4Bound(raw.length));
    const length = this.kernels.encodeLz4(this.input.address, raw.length, encoded);
    assert(length <= into.length, `${raw.length} bytes encoded into ${length}, room for ${into.length}`);
    into.set(this.bytes.subarray(encoded, encoded + length));
    return length;
  }
}

function noRoom(wanted: number): ShoalError {
  return new ShoalError(
    'circuit_breaking_exception',
    429,
    `[indexing] Data too large, data for [indexing] would be [${wanted}/${wanted}b], which is larger than the limit of [${BYTES_MAX}/${BYTES_MAX}b]`,
    { metadata: { bytes_wanted: wanted, bytes_limit: BYTES_MAX, durability: 'TRANSIENT' } },
  );
}
