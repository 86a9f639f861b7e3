/**
 * The syntax of the Common Event Format: a header of seven parts behind bars, then `key=value` with blanks in the values.
 *
 * Scanned by hand, in one pass: the regular expressions that describe the format backtrack without end on hostile lines.
 */
import { ShoalError } from '@shoal/core';

const HEADER_PARTS = 7;
const BACKSLASH = 0x5c;
const BAR = 0x7c;

export interface CefLine {
  /** The parts of the header, without their escapes. */
  readonly header: readonly string[];
  readonly extensions: readonly (readonly [key: string, value: string])[];
}

/** @throws ShoalError for what is no CEF */
export function readCef(line: string): CefLine {
  const header: string[] = [];
  let position = 0;
  while (header.length < HEADER_PARTS) {
    const end = barAfter(line, position);
    if (end < 0) throw invalid(`the header has ${header.length} of ${HEADER_PARTS} parts`);
    header.push(line.slice(position, end).replace(/\\([\\|])/g, '$1'));
    position = end + 1;
  }
  return { header, extensions: readExtensions(trimmed(line.slice(position))) };
}

/** Offset of the next bar that no backslash stands before; -1 when there is none. */
function barAfter(line: string, from: number): number {
  for (let i = from; i < line.length; i++) {
    const code = line.charCodeAt(i);
    if (code === BAR) return i;
    const next = line.charCodeAt(i + 1);
    if (code === BACKSLASH && (next === BAR || next === BACKSLASH)) i++;
  }
  return -1;
}

/** A key and the equals sign behind it: `name`, `ad.name`, `ad.name[0]`. */
const KEY = /(\w+(?:\.[^.= \t-\r|\\[\]]+)*(?:\[\d+\])?)=/y;

function readExtensions(text: string): CefLine['extensions'] {
  const extensions: [string, string][] = [];
  if (text === '') return extensions;
  let key = keyAt(text, 0);
  if (key === null) throw invalid('the extension has a value without a key');
  let from = key.length + 1;
  for (let i = from; i < text.length; i++) {
    if (!isBlank(text.charCodeAt(i))) continue;
    let end = i;
    while (isBlank(text.charCodeAt(end))) end++;
    const next = keyAt(text, end);
    if (next !== null) {
      extensions.push([key, unescapeValue(text.slice(from, i))]);
      key = next;
      from = end + key.length + 1;
    }
    // Not behind the equals sign: what follows it may be a blank and a key again.
    i = (next === null ? end : from) - 1;
  }
  extensions.push([key, unescapeValue(text.slice(from))]);
  return extensions;
}

function keyAt(text: string, position: number): string | null {
  KEY.lastIndex = position;
  return KEY.exec(text)?.[1] ?? null;
}

const UNESCAPED: Readonly<Record<string, string>> = { '\\': '\\', '=': '=', n: '\n', r: '\r' };

function unescapeValue(text: string): string {
  return text.replace(/\\([\\=nr])/g, (_all, letter: string) => UNESCAPED[letter] ?? letter);
}

/** Space and the controls from tab to carriage return. */
function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && (isBlank(text.charCodeAt(end - 1)) || text.charCodeAt(end - 1) === 0)) end--;
  return text.slice(start, end);
}

/** A part of the header: bars are escaped, and a line end, which it may not hold, is a blank. */
export function headerText(text: string): string {
  return text.replace(/\r\n|[\r\n]/g, ' ').replace(/[\\|]/g, '\\$&');
}

export function extensionText(text: string): string {
  return text.replace(/[\\=]/g, '\\$&').replace(/\r\n|[\r\n]/g, '\\n');
}

export function extensionKey(text: string): string {
  return text.replace(/[^a-zA-Z0-9]/g, '');
}

function invalid(why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `this is no CEF: ${why}`);
}
