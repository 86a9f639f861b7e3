/**
 * A cursor over a value that another node sent: every read checks type and range and names the field that is wrong.
 *
 * Decoded messages are never cast. What a reader does not ask for is ignored, so newer nodes may send more fields.
 * Only own properties are read: `__proto__` and `constructor` on the wire are field names like any other.
 */
import { isShoalError, ShoalError } from '../errors/shoal-error.ts';

/** Reads one item of a list or one value of a map; `field` is the path for its error. */
export type ItemReader<T> = (value: unknown, field: string) => T;

/** Leaf of request JSON on the wire. */
export type WireScalar = string | number | bigint | boolean | null;

const PATH_SEPARATOR = '.';
const I64_MAX = 2n ** 63n;
const U64_MAX = 2n ** 64n;

export class ValueReader {
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #path: string;

  constructor(value: Readonly<Record<string, unknown>>, path = '') {
    this.#value = value;
    this.#path = path;
  }

  /** A reader over `value`, which must be a map. */
  static of(value: unknown, path = ''): ValueReader {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
      throw malformed(path === '' ? 'message' : path, 'a map', value);
    }
    return new ValueReader(value as Readonly<Record<string, unknown>>, path); // Checked: an object that is no list.
  }

  /** Names of the fields present, for readers of open maps. */
  fields(): readonly string[] {
    return Object.keys(this.#value);
  }

  has(field: string): boolean {
    const value = this.raw(field);
    return value !== undefined && value !== null;
  }

  /** The value as decoded, unchecked; undefined when absent. */
  raw(field: string): unknown {
    return Object.hasOwn(this.#value, field) ? this.#value[field] : undefined;
  }

  string(field: string): string {
    return ValueReader.asString(this.raw(field), this.#at(field));
  }

  optionalString(field: string): string | null {
    return this.optional(field, ValueReader.asString);
  }

  /** A whole number within `min..max` (both included, both safe integers). */
  integer(field: string, min: number, max: number): number {
    return ValueReader.integerIn(min, max)(this.raw(field), this.#at(field));
  }

  optionalInteger(field: string, min: number, max: number): number | null {
    return this.optional(field, ValueReader.integerIn(min, max));
  }

  /** Any finite or infinite number; NaN is refused. */
  number(field: string): number {
    return ValueReader.asNumber(this.raw(field), this.#at(field));
  }

  optionalNumber(field: string): number | null {
    return this.optional(field, ValueReader.asNumber);
  }

  /** A 64-bit integer, which arrives as a number when it is small. */
  bigint(field: string): bigint {
    return ValueReader.asBigint(this.raw(field), this.#at(field));
  }

  boolean(field: string): boolean {
    return ValueReader.asBoolean(this.raw(field), this.#at(field));
  }

  bytes(field: string): Uint8Array {
    return ValueReader.asBytes(this.raw(field), this.#at(field));
  }

  /** One of a closed set of words. */
  oneOf<const T extends string>(field: string, allowed: readonly T[]): T {
    const value = this.raw(field);
    const found = allowed.find((word) => word === value);
    if (found === undefined) throw malformed(this.#at(field), `one of [${allowed.join(', ')}]`, value);
    return found;
  }

  list<T>(field: string, readItem: ItemReader<T>, maxItems: number): readonly T[] {
    return ValueReader.listOf(this.raw(field), this.#at(field), readItem, maxItems);
  }

  static listOf<T>(value: unknown, path: string, readItem: ItemReader<T>, maxItems: number): readonly T[] {
    if (!Array.isArray(value)) throw malformed(path, 'a list', value);
    if (value.length > maxItems) throw tooLong(path, value.length, maxItems);
    return ValueReader.#isLeaf(readItem)
      ? readLeaves(value, path, readItem)
      : value.map((item: unknown, i) => readItem(item, `${path}[${i}]`));
  }

  /** Readers of values that hold no others. */
  static #isLeaf(read: ItemReader<unknown>): boolean {
    return read === ValueReader.asScalar || read === ValueReader.asString || read === ValueReader.asNumber;
  }

  object(field: string): ValueReader {
    return ValueReader.of(this.raw(field), this.#at(field));
  }

  optionalObject(field: string): ValueReader | null {
    return this.optional(field, ValueReader.of);
  }

  /** A map of any keys to values of one kind. The result has no prototype, so `__proto__` is an ordinary key. */
  map<T>(field: string, readValue: ItemReader<T>, maxEntries: number): Readonly<Record<string, T>> {
    const reader = this.object(field);
    const keys = reader.fields();
    const path = this.#at(field);
    if (keys.length > maxEntries) throw tooLong(path, keys.length, maxEntries);
    const out = Object.create(null) as Record<string, T>; // An empty map of the declared type.
    for (const key of keys) out[key] = readValue(reader.raw(key), `${path}${PATH_SEPARATOR}${key}`);
    return out;
  }

  /** The value of a field that must be there, as `read` makes it. */
  item<T>(field: string, read: ItemReader<T>): T {
    return read(this.raw(field), this.#at(field));
  }

  /** Null when the field is absent or null, else what `read` makes of it. */
  optional<T>(field: string, read: ItemReader<T>): T | null {
    return this.has(field) ? read(this.raw(field), this.#at(field)) : null;
  }

  /** Throws the error of a field that has a right type and a wrong meaning. */
  refuse(field: string, wanted: string): never {
    throw malformed(this.#at(field), wanted, this.raw(field));
  }

  #at(field: string): string {
    return this.#path === '' ? field : this.#path + PATH_SEPARATOR + field;
  }

  static readonly asString: ItemReader<string> = (value, field) => {
    if (typeof value !== 'string') throw malformed(field, 'a string', value);
    return value;
  };

  static readonly asNumber: ItemReader<number> = (value, field) => {
    if (typeof value !== 'number' || Number.isNaN(value)) throw malformed(field, 'a number', value);
    return value;
  };

  static readonly asBoolean: ItemReader<boolean> = (value, field) => {
    if (typeof value !== 'boolean') throw malformed(field, 'a boolean', value);
    return value;
  };

  static readonly asBigint: ItemReader<bigint> = (value, field) => {
    if (typeof value === 'bigint' && value >= -I64_MAX && value < I64_MAX) return value;
    if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
    throw malformed(field, 'a 64-bit integer', value);
  };

  /** A text, number, integer of 64 bits, boolean or null; NaN and what is absent are refused. */
  static readonly asScalar: ItemReader<WireScalar> = (value, field) => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number' && !Number.isNaN(value)) return value;
    if (typeof value === 'bigint' && value >= -I64_MAX && value < U64_MAX) return value;
    throw malformed(field, 'a scalar', value);
  };

  static readonly asBytes: ItemReader<Uint8Array> = (value, field) => {
    if (!(value instanceof Uint8Array)) throw malformed(field, 'bytes', value);
    return plainBytes(value);
  };

  static integerIn(min: number, max: number): ItemReader<number> {
    return (value, field) => {
      if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max) {
        throw malformed(field, `an integer within ${min}..${max}`, value);
      }
      return value;
    };
  }
}

/** Items of one list. The path of each would cost more than the item itself: it is made for one that is refused. */
function readLeaves<T>(items: readonly unknown[], path: string, readItem: ItemReader<T>): readonly T[] {
  let at = 0;
  try {
    const read: T[] = [];
    for (; at < items.length; at++) read.push(readItem(items[at], path));
    return read;
  } catch (error) {
    readItem(items[at], `${path}[${at}]`);
    throw error;
  }
}

/** Not a Buffer, whose `slice` shares memory where that of a Uint8Array copies. */
function plainBytes(value: Uint8Array): Uint8Array {
  return value.constructor === Uint8Array ? value : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

const MALFORMED_TYPE = 'malformed_message_exception';

/** True for the error that a reader throws. */
export function isMalformedMessage(error: unknown): boolean {
  return isShoalError(error) && error.type === MALFORMED_TYPE;
}

/** The error of a message whose bytes or shape are wrong. */
export function malformedMessage(reason: string): ShoalError {
  return new ShoalError(MALFORMED_TYPE, 400, reason);
}

function malformed(field: string, wanted: string, value: unknown): ShoalError {
  return new ShoalError(
    MALFORMED_TYPE,
    400,
    `field [${field}] of a transport message must be ${wanted}, got ${show(value)}`,
  );
}

function tooLong(field: string, length: number, max: number): ShoalError {
  return new ShoalError(
    MALFORMED_TYPE,
    400,
    `field [${field}] of a transport message has [${length}] entries, at most [${max}] are read`,
  );
}

const SHOWN_CHARS_MAX = 60;

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'a map';
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, SHOWN_CHARS_MAX)) : String(value);
  return text.slice(0, SHOWN_CHARS_MAX);
}
