/**
 * Typed values out of request JSON, lenient as Elasticsearch is (numbers and booleans may be strings), with its errors.
 */
import {
  illegalArgument,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  parsingException,
  ShoalError,
  tokenName,
} from '@shoal/core';
import type { QueryValue } from '../node/query-node.ts';

const INT_MIN = -0x8000_0000;
const INT_MAX = 0x7fff_ffff;
const I64_MIN = -(2n ** 63n);
const U64_MAX = 2n ** 64n - 1n;

/** 400: what stands there is of no kind that could be read. */
export class WrongToken extends ShoalError {
  readonly node: JsonNode;

  constructor(node: JsonNode, type: 'parsing_exception' | 'json_parse_exception', reason: string) {
    const { line, col } = node.at;
    super(type, 400, reason, type === 'parsing_exception' ? { metadata: { line, col } } : {});
    this.node = node;
  }
}

/** 400: this query has no such parameter. */
export function unsupported(query: string, member: JsonMember): Error {
  return parsingException(`[${query}] query does not support [${member.name}]`, member.value.at);
}

export function readObject(node: JsonNode, query: string): JsonObjectNode {
  if (node.kind === 'object') return node;
  throw parsingException(`[${query}] query malformed, no start_object after query name`, node.at);
}

export function readScalar(node: JsonNode, what: string): QueryValue {
  switch (node.kind) {
    case 'object':
    case 'array':
      throw new WrongToken(node, 'parsing_exception', `[${what}] expects a value but found a ${node.kind}`);
    case 'null':
      return null;
    default:
      return node.value;
  }
}

/** A value of a query: as a scalar, but an integer that no 64 bits hold is its text, since no message can carry it. */
export function readQueryValue(node: JsonNode, what: string): QueryValue {
  const value = readScalar(node, what);
  return isHuge(value) ? String(value) : value;
}

/** A value that sorts: as a scalar, but an integer that no 64 bits hold is the nearest double, which a message can carry. */
export function readSortValue(node: JsonNode, what: string): QueryValue {
  const value = readScalar(node, what);
  return isHuge(value) ? Number(value) : value;
}

function isHuge(value: QueryValue): boolean {
  return typeof value === 'bigint' && (value < I64_MIN || value > U64_MAX);
}

export function readString(node: JsonNode, what: string): string {
  const value = readScalar(node, what);
  if (value === null) throw new WrongToken(node, 'parsing_exception', `[${what}] must not be null`);
  return node.kind === 'number' ? node.text : String(value);
}

export function readNumber(node: JsonNode, _what: string): number {
  if (node.kind !== 'number' && node.kind !== 'string') throw notNumeric(node);
  const { value } = node;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'bigint') return Number(number);
  if (typeof number === 'number' && !Number.isNaN(number)) return number;
  throw notANumber(String(value));
}

/** 400: a text that stands for a number is none. */
export function notANumber(text: string): ShoalError {
  const reason = text.trim() === '' ? 'empty String' : `For input string: "${text}"`;
  return new ShoalError('number_format_exception', 400, reason);
}

function notNumeric(node: JsonNode): ShoalError {
  const token = node.kind === 'boolean' ? `VALUE_${String(node.value).toUpperCase()}` : tokenName(node);
  return new WrongToken(
    node,
    'json_parse_exception',
    `Current token (${token}) not numeric, can not use numeric value accessors`,
  );
}

/** A whole number of 32 bits; what stands behind a decimal point is cut off. */
export function readInteger(node: JsonNode, what: string): number {
  const number = readNumber(node, what);
  if (number >= INT_MIN && number <= INT_MAX) return Math.trunc(number);
  const { line, col } = node.at;
  const reason = `[${line}:${col}] Numeric value (${String(number)}) out of range of int (${INT_MIN} - ${INT_MAX})`;
  throw new ShoalError('x_content_parse_exception', 400, reason);
}

export function readBoolean(node: JsonNode, what: string): boolean {
  if (node.kind === 'boolean') return node.value;
  if (node.kind === 'string' && node.value !== '') return parseBooleanText(node.value);
  if (node.kind === 'string') throw illegalArgument(notABoolean(''));
  throw new WrongToken(node, 'parsing_exception', `[${what}] expects a boolean`);
}

/** Boolean of a URI parameter: an empty value means true. */
export function parseBooleanText(text: string): boolean {
  if (text === 'true' || text === '') return true;
  if (text === 'false') return false;
  throw illegalArgument(notABoolean(text));
}

function notABoolean(text: string): string {
  return `Failed to parse value [${text}] as only [true] or [false] are allowed.`;
}

/** Text of `minimum_should_match`, which may be a number. */
export function readMinimumShouldMatch(node: JsonNode): string | null {
  return node.kind === 'null' ? null : readString(node, 'minimum_should_match');
}

/** One string or an array of strings. */
export function readStrings(node: JsonNode, what: string): string[] {
  return node.kind === 'array' ? node.items.map((item) => readString(item, what)) : [readString(node, what)];
}

const DURATION_UNITS: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `10s`, `500ms`; -1 means no limit and gives null. */
export function parseTimeout(text: string, setting: string): number | null {
  if (text === '-1') return null;
  if (text === '0') return 0;
  const match = /^(\d+(?:\.\d+)?)(nanos|micros|ms|s|m|h|d)$/i.exec(text.trim());
  const unit = match?.[2] && DURATION_UNITS[match[2].toLowerCase()];
  if (!match || unit === undefined || unit === '') {
    throw illegalArgument(
      `failed to parse setting [${setting}] with value [${text}] as a time value: unit is missing or unrecognized`,
    );
  }
  return Number(match[1]) * unit;
}
