/**
 * Collects the raw sections of one message in the order in which `SectionReader` takes them.
 *
 * Typed arrays are viewed as bytes, never copied here, in the byte order of the machine: every platform that Node runs
 * on in practice is little-endian, and the handshake is between equal builds.
 */
import { assert } from '@shoal/core';

/** Length that stands for null in a row of byte strings. */
export const NULL_LENGTH = -1;
/** Lengths and sizes of sections are 32-bit numbers on the wire. */
const BYTES_MAX = 2 ** 32 - 1;

export class SectionWriter {
  readonly #sections: Uint8Array[] = [];

  get sections(): readonly Uint8Array[] {
    return this.#sections;
  }

  add(view: ArrayBufferView): void {
    this.#sections.push(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  }

  /** A column of numbers, such as versions: any number that fits a double. */
  addNumbers(values: readonly number[]): void {
    this.add(Float64Array.from(values));
  }

  /** Two sections: lengths (-1 for null) and all bytes in a row. */
  addByteStrings(values: readonly (Uint8Array | null)[]): void {
    const lengths = new Int32Array(values.length);
    let total = 0;
    for (const [i, value] of values.entries()) {
      lengths[i] = value === null ? NULL_LENGTH : value.byteLength;
      total += value?.byteLength ?? 0;
    }
    assert(total <= BYTES_MAX, `byte strings of ${total} bytes, a section holds ${BYTES_MAX}`);
    const bytes = new Uint8Array(total);
    let at = 0;
    for (const value of values) {
      if (value === null) continue;
      bytes.set(value, at);
      at += value.byteLength;
    }
    assert(at === total, `byte strings of ${total} bytes fill ${at}`);
    this.add(lengths);
    this.add(bytes);
  }
}
