/**
 * One number for everything that happened in a run: times and names of events, bytes on the wire, bytes written to disks.
 *
 * Two runs of one seed must give the same number; where they do not, something outside the simulation took part in one.
 */
import { crc32 } from 'node:zlib';

const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export class TraceHash {
  #hash = FNV_BASIS;

  /** Eight hexadecimal digits. */
  get text(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }

  addText(text: string): void {
    for (let at = 0; at < text.length; at++) this.#mix(text.charCodeAt(at));
  }

  addBytes(bytes: Uint8Array): void {
    this.#mix(bytes.byteLength);
    this.#mix(crc32(bytes));
  }

  #mix(value: number): void {
    this.#hash = Math.imul(this.#hash ^ value, FNV_PRIME);
  }
}
