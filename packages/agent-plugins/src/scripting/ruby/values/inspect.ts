/**
 * Values as texts: `to_s`, and `inspect` as a script would write them.
 */
import { rubyFloatText } from '@shoal/agent-plugin-kit';
import { isFloat, numberOf, RubyHash, RubyObject, RubyRange, RubyString, type Value } from './ruby-value.ts';

/** Deeper values hold themselves, or are shown to nobody. */
const DEPTH_MAX = 100;

export function toText(value: Value): string {
  if (value === null) return '';
  if (value instanceof RubyString) return value.text;
  if (Array.isArray(value) || value instanceof RubyHash) return inspect(value);
  if (value instanceof RubyRange) return `${toText(value.from)}${value.isExclusive ? '...' : '..'}${toText(value.to)}`;
  if (value instanceof RubyObject) return value.print();
  return isFloat(value) ? rubyFloatText(numberOf(value) ?? 0) : String(value);
}

export function inspect(value: Value, depth = 0): string {
  if (depth > DEPTH_MAX) return '...';
  if (value === null) return 'nil';
  if (value instanceof RubyString) return quoted(value.text, value.isBinary);
  if (Array.isArray(value)) return `[${value.map((item) => inspect(item, depth + 1)).join(', ')}]`;
  if (value instanceof RubyHash) {
    const pairs = value.pairs().map(([key, item]) => `${inspect(key, depth + 1)}=>${inspect(item, depth + 1)}`);
    return `{${pairs.join(', ')}}`;
  }
  if (value instanceof RubyRange) {
    const to = value.to === null ? '' : inspect(value.to);
    return `${value.from === null ? '' : inspect(value.from)}${value.isExclusive ? '...' : '..'}${to}`;
  }
  return value instanceof RubyObject ? value.show() : toText(value);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\x1b': '\\e',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is for
const SPECIAL = /[\x00-\x1f"\\\x7f]|#(?=[{$@])|[\udc80-\udcff](?<![\ud800-\udbff].)/g;

function quoted(text: string, isBinary: boolean): string {
  const shown = text.replace(SPECIAL, (char) => {
    if (char === '#') return '\\#';
    const code = char.charCodeAt(0);
    return ESCAPES[char] ?? `\\x${hex(code > 0xff ? code - 0xdc00 : code)}`;
  });
  return isBinary ? `"${shown.replace(/[\x80-\xff]/g, (char) => `\\x${hex(char.charCodeAt(0))}`)}"` : `"${shown}"`;
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(2, '0');
}
