/**
 * Terms as bytes: UTF-8 of texts, or one byte a character for binary values such as addresses.
 */
import type { TermEncoding } from '../../bytes/term-table.ts';

const encoder = new TextEncoder();

export function encodeTerm(text: string, encoding: TermEncoding): Uint8Array {
  return encoding === 'utf8' ? encoder.encode(text) : Uint8Array.from(text, (c) => c.charCodeAt(0));
}

/** Text of a term's bytes. */
export function decodeTerm(bytes: Uint8Array, encoding: TermEncoding): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(encoding);
}
