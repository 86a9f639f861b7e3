/**
 * Document JSON as plain values: fast when nothing special is in it, exact when something is.
 *
 * One pass over the bytes looks for what `JSON.parse` would get wrong (integers beyond 2^53, duplicate names); without
 * any the platform's parser does the work. Otherwise, and to name the position of an error, the exact reader does.
 */
import { ShoalError } from '../errors/shoal-error.ts';
import {
  isLiteralStart,
  isNumberStart,
  JSON_DEPTH_MAX,
  JSON_TOKENS_MAX,
  JsonReader,
  JsonTokens,
  numberValue,
} from './json-reader.ts';
import { checkDepth, stepInContainer, takeColon } from './json-tree.ts';

/** Runs of fewer digits are exact as doubles. */
const EXACT_DIGITS = 15;

/** Bound of texts that this server wrote itself, or took in and promised to keep. */
export const ANY_TOKENS: number = Number.POSITIVE_INFINITY;

/**
 * The value of one JSON text; integers beyond 2^53 are bigints.
 *
 * @param tokensMax values, names and closing markers that the text may have
 * @throws ShoalError `json_e_o_f_exception` or `json_parse_exception` (400) with line and column
 */
export function parseJson(input: Uint8Array | string, tokensMax: number = JSON_TOKENS_MAX): unknown {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  const nameCount = countNamesIfPlain(bytes, tokensMax);
  if (nameCount >= 0) {
    const value = parsePlain(bytes);
    if (value !== undefined && countNames(value) === nameCount) return value;
  }
  return parseExactly(bytes, tokensMax);
}

/** undefined when the platform's parser refuses: the exact reader then finds the message and the position. */
function parsePlain(bytes: Uint8Array): unknown {
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    return JSON.parse(text);
  } catch {
    // Any refusal is repeated by the exact reader, which throws the error that users see.
    return undefined;
  }
}

/**
 * Colons outside strings, thus names; -1 when a number may be too long for a double, nesting is too deep, or there may be
 * too many tokens: a comma starts one, a name and a container one each, and a closing marker is one.
 */
function countNamesIfPlain(bytes: Uint8Array, tokensMax: number): number {
  let names = 0;
  let tokens = 1;
  const tokensEnd = tokensMax + 1;
  let digits = 0;
  let depth = 0;
  const end = bytes.length;
  for (let i = 0; i < end; i++) {
    const b = bytes[i] as number;
    if (b === 0x22) {
      digits = 0;
      for (i++; i < end && bytes[i] !== 0x22; i++) if (bytes[i] === 0x5c) i++;
    } else if (b >= 0x30 && b <= 0x39) {
      if (++digits > EXACT_DIGITS) return -1;
    } else {
      digits = 0;
      if (b === 0x2c) {
        if (++tokens > tokensEnd) return -1;
      } else if (b === 0x3a) names++;
      else if (b === 0x7b || b === 0x5b) {
        tokens++;
        if (++depth > JSON_DEPTH_MAX) return -1;
      } else if (b === 0x7d || b === 0x5d) {
        tokens++;
        depth--;
      }
    }
  }
  return tokens + names > tokensMax ? -1 : names;
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countNames(item);
    return count;
  }
  for (const name in value) {
    count++;
    const inner = (value as Record<string, unknown>)[name];
    if (typeof inner === 'object') count += countNames(inner);
  }
  return count;
}

function parseExactly(bytes: Uint8Array, tokensMax: number): unknown {
  const reader = new JsonReader(bytes, new JsonTokens(tokensMax));
  if (reader.peek() < 0) throw new ShoalError('parse_exception', 400, 'document is empty');
  const value = readValue(reader, 0);
  if (reader.peek() >= 0) throw reader.unexpected('Expected space separating root-level values');
  return value;
}

function readValue(reader: JsonReader, depth: number): unknown {
  const b = reader.peek();
  reader.tokens.take();
  if (b === 0x7b) return readObject(reader, depth + 1);
  if (b === 0x5b) return readArray(reader, depth + 1);
  if (b === 0x22) return reader.string('in VALUE_STRING');
  if (isNumberStart(b)) return numberValue(reader.numberText());
  if (!isLiteralStart(b)) throw reader.unexpectedValue();
  return reader.literal();
}

function readObject(reader: JsonReader, depth: number): unknown {
  checkDepth(depth);
  const start = reader.location();
  reader.at++;
  const object: Record<string, unknown> = {};
  let isFirst = true;
  while (stepInContainer(reader, 'Object', start, isFirst)) {
    isFirst = false;
    if (reader.peek() !== 0x22) throw reader.unexpected('was expecting double-quote to start field name');
    const name = reader.string('in field name');
    reader.tokens.take();
    if (Object.hasOwn(object, name)) throw reader.error(`Duplicate field '${name}'`);
    takeColon(reader);
    const value = readValue(reader, depth);
    if (name === '__proto__') {
      Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
    } else object[name] = value;
  }
  reader.at++;
  reader.tokens.take();
  return object;
}

function readArray(reader: JsonReader, depth: number): unknown[] {
  checkDepth(depth);
  const start = reader.location();
  reader.at++;
  const items: unknown[] = [];
  while (stepInContainer(reader, 'Array', start, items.length === 0)) items.push(readValue(reader, depth));
  reader.at++;
  reader.tokens.take();
  return items;
}
