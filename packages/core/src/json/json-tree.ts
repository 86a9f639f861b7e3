/**
 * Request JSON as a tree that remembers where everything stands, for errors that name line and column.
 *
 * Requests are small and wrong in many ways, documents are many and mostly right: `json-value.ts` reads those.
 */
import { ShoalError } from '../errors/shoal-error.ts';
import { runSteps, type Steps } from '../steps/steps.ts';
import type { JsonLocation } from './json-location.ts';
import {
  isLiteralStart,
  isNumberStart,
  JSON_DEPTH_MAX,
  type JsonContainer,
  JsonReader,
  JsonTokens,
  numberValue,
} from './json-reader.ts';

/** Tokens of one step, each up to a microsecond. */
const STEP_TOKENS = 1_000;
/** Members of an object whose names are compared one by one: a set for each would take most of the time. */
const NAMES_LOOKED_THROUGH = 8;

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

export interface TreeOptions {
  /** Levels of nesting that do not count: of what was put around documents since they were read. */
  readonly levelsAround?: number;
  /** Tokens counted over several texts. Default: this text alone, `JSON_TOKENS_MAX`. */
  readonly tokens?: JsonTokens;
}

/** One JSON value and nothing behind it. Duplicate names are refused. null when there is only white space. */
export function parseJsonTree(bytes: Uint8Array, options: TreeOptions = {}): JsonNode | null {
  return runSteps(parseJsonTreeInSteps(bytes, options));
}

/** `parseJsonTree` for texts that would hold the thread for long. Open containers are held in a list, not on the stack. */
export function* parseJsonTreeInSteps(bytes: Uint8Array, options: TreeOptions = {}): Steps<JsonNode | null> {
  const { levelsAround = 0, tokens = new JsonTokens() } = options;
  const reader = new JsonReader(bytes, tokens);
  if (reader.peek() < 0) return null;
  const open: OpenContainer[] = [];
  let stepEnd = tokens.count + STEP_TOKENS;
  let node = beginValue(reader, open, levelsAround);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (node !== null) addEntry(top, node);
    if (stepInContainer(reader, top.container, top.at, top.isEmpty)) {
      if (top.container === 'Object') readName(reader, top);
      node = beginValue(reader, open, levelsAround);
    } else {
      node = closed(reader, top);
      open.pop();
    }
    if (tokens.count >= stepEnd) {
      stepEnd = tokens.count + STEP_TOKENS;
      yield;
    }
  }
  if (reader.peek() >= 0) throw reader.unexpected('Expected space separating root-level values');
  return node;
}

interface OpenObject {
  readonly container: 'Object';
  readonly at: JsonLocation;
  isEmpty: boolean;
  readonly members: JsonMember[];
  /** Names of the members, once they are too many to be looked through. */
  names: Set<string> | null;
  name: string;
  nameAt: JsonLocation;
}

interface OpenArray {
  readonly container: 'Array';
  readonly at: JsonLocation;
  isEmpty: boolean;
  readonly items: JsonNode[];
}

type OpenContainer = OpenObject | OpenArray;

/** The scalar that comes next, or null when a container was opened instead. */
function beginValue(reader: JsonReader, open: OpenContainer[], levelsAround: number): JsonNode | null {
  const b = reader.peek();
  const at = reader.location();
  reader.tokens.take();
  if (b === 0x22) return { kind: 'string', at, value: reader.string('in VALUE_STRING') };
  if (isNumberStart(b)) {
    const text = reader.numberText();
    return { kind: 'number', at, value: numberValue(text), text };
  }
  if (b === 0x7b || b === 0x5b) {
    checkDepth(open.length + 1 - levelsAround);
    reader.at++;
    open.push(
      b === 0x7b
        ? { container: 'Object', at, isEmpty: true, members: [], names: null, name: '', nameAt: at }
        : { container: 'Array', at, isEmpty: true, items: [] },
    );
    return null;
  }
  if (!isLiteralStart(b)) throw reader.unexpectedValue();
  const value = reader.literal();
  return value === null ? { kind: 'null', at } : { kind: 'boolean', at, value };
}

function addEntry(top: OpenContainer, node: JsonNode): void {
  top.isEmpty = false;
  if (top.container === 'Array') top.items.push(node);
  else top.members.push({ name: top.name, at: top.nameAt, value: node });
}

function readName(reader: JsonReader, top: OpenObject): void {
  if (reader.peek() !== 0x22) throw reader.unexpected('was expecting double-quote to start field name');
  top.nameAt = reader.location();
  top.name = reader.string('in field name');
  reader.tokens.take();
  if (isKnownName(top)) throw reader.error(`Duplicate field '${top.name}'`);
  takeColon(reader);
}

function isKnownName(top: OpenObject): boolean {
  const { members, name } = top;
  if (top.names === null) {
    if (members.length < NAMES_LOOKED_THROUGH) return members.some((member) => member.name === name);
    top.names = new Set(members.map((member) => member.name));
  }
  if (top.names.has(name)) return true;
  top.names.add(name);
  return false;
}

function closed(reader: JsonReader, top: OpenContainer): JsonNode {
  const end = reader.location();
  reader.at++;
  reader.tokens.take();
  const { at } = top;
  return top.container === 'Array'
    ? { kind: 'array', at, items: top.items, end }
    : { kind: 'object', at, members: top.members, end };
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
