/**
 * Takes the raw sections of a received message one after the other, as typed arrays of a known length.
 *
 * Sections are viewed in place: they stay valid as long as the frame they came in. A section that is not aligned for its
 * element size is copied. Nothing that a section says is believed before its length was compared with the count that the
 * message names; every mismatch is a `malformed_message_exception`.
 */
import { ShoalError } from '@shoal/core';
import { NULL_LENGTH } from './section-writer.ts';

const MALFORMED_TYPE = 'malformed_message_exception';

export class SectionReader {
  readonly #sections: readonly Uint8Array[];
  #taken = 0;

  constructor(sections: readonly Uint8Array[] | undefined) {
    this.#sections = sections ?? [];
  }

  bytes(field: string): Uint8Array {
    const section = this.#sections[this.#taken];
    if (section === undefined)
      throw malformedSection(field, `is missing: the message has ${this.#sections.length} sections`);
    this.#taken++;
    return section;
  }

  /** Bytes of exactly this count: flags, one an entry. */
  flags(field: string, count: number): Uint8Array {
    return this.#checked(field, count, 1);
  }

  float32(field: string, count: number): Float32Array {
    const bytes = this.#checked(field, count, Float32Array.BYTES_PER_ELEMENT);
    return new Float32Array(bytes.buffer, bytes.byteOffset, count);
  }

  float64(field: string, count: number): Float64Array {
    const bytes = this.#checked(field, count, Float64Array.BYTES_PER_ELEMENT);
    return new Float64Array(bytes.buffer, bytes.byteOffset, count);
  }

  bigint64(field: string, count: number): BigInt64Array {
    const bytes = this.#checked(field, count, BigInt64Array.BYTES_PER_ELEMENT);
    return new BigInt64Array(bytes.buffer, bytes.byteOffset, count);
  }

  bigUint64(field: string, count: number): BigUint64Array {
    const bytes = this.#checked(field, count, BigUint64Array.BYTES_PER_ELEMENT);
    return new BigUint64Array(bytes.buffer, bytes.byteOffset, count);
  }

  uint32(field: string, count: number): Uint32Array {
    const bytes = this.#checked(field, count, Uint32Array.BYTES_PER_ELEMENT);
    return new Uint32Array(bytes.buffer, bytes.byteOffset, count);
  }

  int32(field: string, count: number): Int32Array {
    const bytes = this.#checked(field, count, Int32Array.BYTES_PER_ELEMENT);
    return new Int32Array(bytes.buffer, bytes.byteOffset, count);
  }

  /** A column of whole numbers within `min..max`. */
  integers(field: string, count: number, min: number, max: number): Float64Array {
    const values = this.float64(field, count);
    for (const value of values) {
      if (!Number.isInteger(value) || value < min || value > max) {
        throw malformedSection(field, `holds ${value}, outside the integers ${min}..${max}`);
      }
    }
    return values;
  }

  /** The counterpart of `SectionWriter.addByteStrings`; each string is a view. */
  byteStrings(field: string, count: number): readonly (Uint8Array | null)[] {
    const lengths = this.int32(`${field}.lengths`, count);
    const bytes = this.bytes(`${field}.bytes`);
    const out: (Uint8Array | null)[] = [];
    let at = 0;
    for (const length of lengths) {
      if (length < NULL_LENGTH || length > bytes.byteLength - at) {
        throw malformedSection(field, `has a length ${length} with ${bytes.byteLength - at} bytes left`);
      }
      out.push(length === NULL_LENGTH ? null : bytes.subarray(at, at + length));
      at += Math.max(length, 0);
    }
    if (at !== bytes.byteLength)
      throw malformedSection(field, `has ${bytes.byteLength - at} bytes that no length names`);
    return out;
  }

  /** Every section was asked for: what is left over means that the two sides disagree on the format. */
  end(): void {
    if (this.#taken !== this.#sections.length) {
      throw malformedSection('sections', `are ${this.#sections.length}, of which ${this.#taken} are known`);
    }
  }

  #checked(field: string, count: number, elementBytes: number): Uint8Array {
    const bytes = this.bytes(field);
    if (bytes.byteLength !== count * elementBytes) {
      throw malformedSection(field, `has ${bytes.byteLength} bytes, not ${count} times ${elementBytes}`);
    }
    return bytes.byteOffset % elementBytes === 0 ? bytes : new Uint8Array(bytes);
  }
}

export function malformedSection(field: string, problem: string): ShoalError {
  return new ShoalError(MALFORMED_TYPE, 400, `section [${field}] of a transport message ${problem}`);
}
