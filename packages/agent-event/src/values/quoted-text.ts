/**
 * Text between quotes as Ruby's `inspect` shows it: quotes, the start of an interpolation and what has no picture are escaped.
 */

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\f': '\\f',
  '\v': '\\v',
  '\b': '\\b',
  '\x07': '\\a',
  '\x1b': '\\e',
};
const ESCAPED = /["\\]|#(?=[{$@])|[\p{Cc}\p{Cn}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** The text as it stands between the quotes. */
export function escapedText(text: string): string {
  return text.replace(ESCAPED, escaped);
}

function escaped(sign: string): string {
  if (sign === '#') return '\\#';
  const code = sign.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  return ESCAPES[sign] ?? (code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`);
}
