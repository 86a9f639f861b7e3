/**
 * Request JSON as a tree that remembers where everything stands, for errors that name line and column.
 *
 * Requests are small and wrong in many ways, documents are many and mostly right: `json-value.ts` reads those.
 */
import { ShoalError } from '../shoal-error.ts';
import type { JsonLocation } from './json-location.ts';
import {
  isLiteralStart,
  isNumberStart,
  JSON_DEPTH_MAX,
  type JsonContainer,
  JsonReader,
  numberValue,
} from './json-reader.ts';

export interface JsonMember {
  readonly name: string;
  /** Offset of the name's opening quote. */
  readonly at: JsonLocation;
  readonly value: JsonNode;
}

export interface JsonObjectNode {
  readonly kind: 'object';
  readonly at: JsonLocation;
  readonly members: readonly JsonMember[];
  /** Offset of the closing brace. */
  readonly end: JsonLocation;
}

export interface JsonArrayNode {
  readonly kind: 'array';
  readonly at: JsonLocation;
  readonly items: readonly JsonNode[];
  readonly end: JsonLocation;
}

export interface JsonNumberNode {
  readonly kind: 'number';
  readonly at: JsonLocation;
  readonly value: number | bigint;
  /** Text as it was written: `1.0` is not `1`. */
  readonly text: string;
}

export type JsonNode =
  | JsonObjectNode
  | JsonArrayNode
  | JsonNumberNode
  | { readonly kind: 'string'; readonly at: JsonLocation; readonly value: string }
  | { readonly kind: 'boolean'; readonly at: JsonLocation; readonly value: boolean }
  | { readonly kind: 'null'; readonly at: JsonLocation };

/** What Elasticsearch calls the token that starts this value, for error texts. */
export function tokenName(node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return 'START_OBJECT';
    case 'array':
      return 'START_ARRAY';
    case 'string':
      return 'VALUE_STRING';
    case 'number':
      return 'VALUE_NUMBER';
    case 'boolean':
      return 'VALUE_BOOLEAN';
    default:
      return 'VALUE_NULL';
  }
}

/** The plain value of a tree; integers beyond 2^53 are bigints. */
export function jsonNodeValue(node: JsonNode): unknown {
  switch (node.kind) {
    case 'object':
      // `__proto__` is a legal name, so members are defined and never assigned.
      return Object.fromEntries(node.members.map((m) => [m.name, jsonNodeValue(m.value)]));
    case 'array':
      return node.items.map(jsonNodeValue);
    case 'null':
      return null;
    default:
      return node.value;
  }
}

/**
 * One JSON value and nothing behind it. Duplicate names are refused. null when there is only white space.
 *
 * @param levelsAround levels of nesting that do not count: of what was put around documents since they were read
 */
export function parseJsonTree(bytes: Uint8Array, levelsAround = 0): JsonNode | null {
  const reader = new JsonReader(bytes);
  if (reader.peek() < 0) return null;
  const root = readValue(reader, -levelsAround);
  if (reader.peek() >= 0) throw reader.unexpected('Expected space separating root-level values');
  return root;
}

function readValue(reader: JsonReader, depth: number): JsonNode {
  const b = reader.peek();
  const at = reader.location();
  if (b === 0x7b) return readObject(reader, at, depth + 1);
  if (b === 0x5b) return readArray(reader, at, depth + 1);
  if (b === 0x22) return { kind: 'string', at, value: reader.string('in VALUE_STRING') };
  if (isNumberStart(b)) {
    const text = reader.numberText();
    return { kind: 'number', at, value: numberValue(text), text };
  }
  if (!isLiteralStart(b)) throw reader.unexpectedValue();
  const value = reader.literal();
  return value === null ? { kind: 'null', at } : { kind: 'boolean', at, value };
}

function readObject(reader: JsonReader, at: JsonLocation, depth: number): JsonObjectNode {
  checkDepth(depth);
  reader.at++;
  const members: JsonMember[] = [];
  const names = new Set<string>();
  for (;;) {
    if (!stepInContainer(reader, 'Object', at, members.length === 0)) break;
    if (reader.peek() !== 0x22) throw reader.unexpected('was expecting double-quote to start field name');
    const nameAt = reader.location();
    const name = reader.string('in field name');
    if (names.has(name)) throw reader.error(`Duplicate field '${name}'`);
    names.add(name);
    takeColon(reader);
    members.push({ name, at: nameAt, value: readValue(reader, depth) });
  }
  const end = reader.location();
  reader.at++;
  return { kind: 'object', at, members, end };
}

function readArray(reader: JsonReader, at: JsonLocation, depth: number): JsonArrayNode {
  checkDepth(depth);
  reader.at++;
  const items: JsonNode[] = [];
  while (stepInContainer(reader, 'Array', at, items.length === 0)) items.push(readValue(reader, depth));
  const end = reader.location();
  reader.at++;
  return { kind: 'array', at, items, end };
}

/** Moves to the next entry; false at the closing marker, which is not taken. */
export function stepInContainer(
  reader: JsonReader,
  container: JsonContainer,
  start: JsonLocation,
  isFirst: boolean,
): boolean {
  const close = container === 'Object' ? 0x7d : 0x5d;
  const b = reader.peek();
  if (b < 0) throw reader.unclosed(container, start);
  if (b === close) return false;
  if (isFirst) return true;
  if (b !== 0x2c) throw reader.unexpected(`was expecting comma to separate ${container} entries`);
  reader.at++;
  if (reader.peek() < 0) throw reader.endOfInput(` within/between ${container} entries`);
  return true;
}

/** Takes the colon behind a name and makes sure that something follows it. */
export function takeColon(reader: JsonReader): void {
  const b = reader.peek();
  if (b < 0) throw reader.endOfInput(' within/between Object entries');
  if (b !== 0x3a) throw reader.unexpected('was expecting a colon to separate field name and value');
  reader.at++;
  if (reader.peek() < 0) throw reader.endOfInput(' within/between Object entries');
}

export function checkDepth(depth: number): void {
  if (depth <= JSON_DEPTH_MAX) return;
  throw new ShoalError(
    'x_content_parse_exception',
    400,
    `Document nesting depth (${depth}) exceeds the maximum allowed (${JSON_DEPTH_MAX}, from \`StreamReadConstraints.getMaxNestingDepth()\`)`,
  );
}
