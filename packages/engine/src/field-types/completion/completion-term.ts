/**
 * Terms of a `completion` field: one for each input, way that an analyzer reads it, and context. In byte order, so that inputs that
 * begin alike stand side by side:
 *
 *   [number of the context + 1, its value, U+001D] key U+0000 input U+0000 weight
 *
 * The key is what suggestions are looked up by: the words of the input with U+001F between them. None of these characters may stand
 * in an input. The form is on disk.
 */

/** Ends the key, and the input. */
const END = '\u0000';
/** Stands between two words of a key. */
export const WORD_SEPARATOR = '\u001f';
/** Reserved for a gap between words. */
const WORD_GAP = '\u001e';
/** Ends the value of a context. */
export const CONTEXT_END = '\u001d';
/** Characters that no input may have. */
export const RESERVED_IN_INPUTS: readonly string[] = [END, WORD_SEPARATOR, WORD_GAP, CONTEXT_END];

/** Beginning of the terms of one context value; without an end, of all values that begin so. */
export function contextStart(position: number, value: string): string {
  return `${String.fromCharCode(position + 1)}${value}`;
}

/** @param context empty for a field without contexts, else a start with its end */
export function completionTerm(context: string, key: string, input: string, weight: number): string {
  return `${context}${key}${END}${input}${END}${weight}`;
}

const END_BYTE = 0x00;
const CONTEXT_END_BYTE = 0x1d;
const decoder = new TextDecoder();

/** Offset of the key of a term with a context. */
export function keyStart(term: Uint8Array, from: number): number {
  return term.indexOf(CONTEXT_END_BYTE, from) + 1;
}

/** Offset behind the key that begins at `from`. */
export function keyEnd(term: Uint8Array, from: number): number {
  return term.indexOf(END_BYTE, from);
}

/** Weight at the end of a term. */
export function weightOf(term: Uint8Array): number {
  let weight = 0;
  for (let at = term.lastIndexOf(END_BYTE) + 1; at < term.length; at++)
    weight = weight * 10 + (term[at] as number) - 0x30;
  return weight;
}

/** Input of a term whose key ends at `end`. */
export function inputOf(term: Uint8Array, end: number): string {
  return decoder.decode(term.subarray(end + 1, term.lastIndexOf(END_BYTE)));
}

/** Context value of a term. */
export function contextOf(term: Uint8Array): { readonly position: number; readonly value: string } {
  return { position: (term[0] as number) - 1, value: decoder.decode(term.subarray(1, term.indexOf(CONTEXT_END_BYTE))) };
}
