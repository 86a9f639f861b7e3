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
    const column = new Float64Array(values.length);
    // Not `from`, which walks any list as an iterator.
    for (let i = 0; i < values.length; i++) column[i] = values[i] as number;
    this.add(column);
  }

  /** Two sections: lengths (-1 for null) and all bytes in a row. */
  addByteStrings(values: readonly (Uint8Array | null)[]): void {
    const lengths = new Int32Array(values.length);
    let total = 0;
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? null;
      lengths[i] = value === null ? NULL_LENGTH : value.byteLength;
      total += value === null ? 0 : value.byteLength;
    }
    assert(total <= BYTES_MAX, `byte strings of ${total} bytes, a section holds ${BYTES_MAX}`);
    const bytes = new Uint8Array(total);
    let at = 0;
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? null;
      if (value === null) continue;
      bytes.set(value, at);
      at += value.byteLength;
    }
    assert(at === total, `byte strings of ${total} bytes fill ${at}`);
    this.add(lengths);
    this.add(bytes);
  }
}
