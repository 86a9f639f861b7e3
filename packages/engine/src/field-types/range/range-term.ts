/**
 * Ranges as terms: the code of the start, then that of the end, each in as many bytes and in the order of the values.
 */
import type { CodeBytes, RangeElement } from './range-element.ts';

/** Range with both ends in it, as codes. */
export interface CodeRange {
  readonly from: bigint;
  readonly to: bigint;
}

const CODE_64_OFFSET = 2n ** 63n;

/** Bytes of a code, in the order of the codes. */
export function codeBytes(code: bigint, bytes: CodeBytes): Uint8Array {
  const out = Buffer.alloc(bytes);
  if (bytes === 8) out.writeBigUInt64BE(code + CODE_64_OFFSET);
  else {
    out.writeBigUInt64BE(code >> 64n);
    out.writeBigUInt64BE(code & 0xffff_ffff_ffff_ffffn, 8);
  }
  return out;
}

/** Term of a range, one character a byte. */
export function rangeTerm({ from, to }: CodeRange, bytes: CodeBytes): string {
  return Buffer.concat([codeBytes(from, bytes), codeBytes(to, bytes)]).toString('latin1');
}

/** Ends of the range that a term of 8-byte codes holds, as numbers. */
export function rangeNumbers(term: Uint8Array, element: RangeElement): { readonly from: number; readonly to: number } {
  const view = new DataView(term.buffer, term.byteOffset, term.byteLength);
  const at = (offset: number): number => element.number(view.getBigUint64(offset) - CODE_64_OFFSET);
  return { from: at(0), to: at(8) };
}
