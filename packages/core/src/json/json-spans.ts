/**
 * Values of a JSON text by where they stand, without reading what is in them: documents of another server are passed on as
 * they came, so that no number and no name changes on the way.
 *
 * Nothing is checked beyond what finding the ends takes; whoever reads a value finds what is wrong in it.
 */
import { ShoalError } from '../errors/shoal-error.ts';
import { parseJson } from './json-value.ts';

/** A value of an object, by its name. */
export interface JsonMemberSpan {
  readonly name: string;
  readonly value: Uint8Array;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const SPACE = 0x20;

/** The members of the object that the text is. @throws json_parse_exception when it is none, or ends too early */
export function jsonMembers(text: Uint8Array): readonly JsonMemberSpan[] {
  const members: JsonMemberSpan[] = [];
  let at = opening(text, OPEN_OBJECT);
  for (; text[at] !== CLOSE_OBJECT; at = behindComma(text, at, CLOSE_OBJECT)) {
    if (text[at] !== QUOTE) throw broken(at);
    const nameEnd = valueEnd(text, at);
    const colon = skipSpace(text, nameEnd);
    if (text[colon] !== COLON) throw broken(colon);
    const start = skipSpace(text, colon + 1);
    const name = String(parseJson(text.subarray(at, nameEnd)));
    at = valueEnd(text, start);
    members.push({ name, value: text.subarray(start, at) });
  }
  return members;
}

/** The items of the array that the text is. @throws json_parse_exception when it is none, or ends too early */
export function jsonItems(text: Uint8Array): readonly Uint8Array[] {
  const items: Uint8Array[] = [];
  let at = opening(text, OPEN_ARRAY);
  for (; text[at] !== CLOSE_ARRAY; at = behindComma(text, at, CLOSE_ARRAY)) {
    const start = at;
    at = valueEnd(text, start);
    items.push(text.subarray(start, at));
  }
  return items;
}

function opening(text: Uint8Array, mark: number): number {
  const at = skipSpace(text, 0);
  if (text[at] !== mark) throw broken(at);
  return skipSpace(text, at + 1);
}

/** Start of the next entry, or the closing mark. */
function behindComma(text: Uint8Array, end: number, close: number): number {
  const at = skipSpace(text, end);
  if (text[at] === close) return at;
  if (text[at] !== COMMA) throw broken(at);
  const next = skipSpace(text, at + 1);
  if (text[next] === close) throw broken(next);
  return next;
}

function skipSpace(text: Uint8Array, from: number): number {
  let at = from;
  while (at < text.length && (text[at] ?? 0) <= SPACE) at++;
  return at;
}

/** Position behind the value that begins at `start`. */
function valueEnd(text: Uint8Array, start: number): number {
  const first = text[start];
  if (first === QUOTE) return stringEnd(text, start);
  let depth = 0;
  let at = start;
  for (; at < text.length; at++) {
    const byte = text[at] ?? 0;
    if (byte === QUOTE) at = stringEnd(text, at) - 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (depth > 0) {
      if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --depth === 0) return at + 1;
    } else if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte <= SPACE) break;
  }
  if (depth > 0 || at === start) throw broken(at);
  return at;
}

function stringEnd(text: Uint8Array, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === QUOTE) return at + 1;
    if (text[at] === BACKSLASH) at++;
  }
  throw broken(text.length);
}

function broken(at: number): ShoalError {
  return new ShoalError('json_parse_exception', 400, `unexpected end or character at offset [${at}]`);
}
