/** Texts as they were before they were put into an address. */
import { illegalArgument } from '@shoal/core';

const PLUS = 0x2b;
const PERCENT = 0x25;
const SPACE = 0x20;

/** Bytes that are no UTF-8 become U+FFFD. @throws illegal_argument_exception for escapes that are none */
export function urlDecoded(text: string): string {
  if (!/[%+]/.test(text)) return text;
  const bytes = Buffer.from(text, 'utf8');
  const decoded = Buffer.alloc(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte !== PERCENT) {
      decoded[length++] = byte === PLUS ? SPACE : byte;
      continue;
    }
    const digits = bytes.toString('latin1', at + 1, at + 3);
    if (digits.length < 2) throw illegalArgument('URLDecoder: Incomplete trailing escape (%) pattern');
    if (!/^[0-9a-fA-F]{2}$/.test(digits)) {
      throw illegalArgument(
        `URLDecoder: Illegal hex characters in escape (%) pattern - Error at index 0 in: "${digits}"`,
      );
    }
    decoded[length++] = Number.parseInt(digits, 16);
    at += 2;
  }
  return decoded.toString('utf8', 0, length);
}
