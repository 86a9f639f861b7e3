/**
 * Avro's binary form as values of events, by a schema. Every size is checked against what is left before anything is made.
 */
import { type EventMap, type EventValue, Timestamp } from '@shoal/agent-event';
import { asFloat, ShoalError, unreachable } from '@shoal/core';
import type { AvroType } from './avro-schema.ts';

const DEPTH_MAX = 200;
/** Values without bytes (null, empty records) could be had by the million for nothing. */
const EMPTY_ITEMS_MAX = 100_000;
const NANOS_PER_MICRO = 1000;
const utf8 = new TextDecoder();

/** @throws ShoalError for bytes that do not fit the schema */
export function readAvro(bytes: Uint8Array, type: AvroType): EventValue {
  return new AvroReader(bytes).value(type, 0);
}

class AvroReader {
  private readonly bytes: Buffer;
  private position = 0;
  private emptyItems = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  value(type: AvroType, depth: number): EventValue {
    if (depth > DEPTH_MAX) throw broken(`it is nested deeper than ${DEPTH_MAX}`);
    switch (type.kind) {
      case 'null':
        return null;
      case 'boolean':
        return this.bytes[this.take(1)] !== 0;
      case 'int':
      case 'long':
        return integer(this.long(), type.logical);
      case 'float':
        return asFloat(this.bytes.readFloatLE(this.take(4)));
      case 'double':
        return asFloat(this.bytes.readDoubleLE(this.take(8)));
      case 'string':
        return utf8.decode(this.sized());
      case 'bytes':
        return binary(this.sized(), type.logical, type.scale);
      case 'fixed': {
        const from = this.take(type.size);
        return binary(this.bytes.subarray(from, from + type.size), type.logical, type.scale);
      }
      case 'enum':
        return this.choice(type.symbols);
      case 'record':
        return new Map(type.fields.map((field) => [field.name, this.value(field.type, depth + 1)]));
      case 'union':
        return this.value(this.choice(type.types), depth + 1);
      case 'array': {
        const items: EventValue[] = [];
        this.blocks(() => items.push(this.value(type.items, depth + 1)));
        return items;
      }
      case 'map': {
        const map: EventMap = new Map();
        this.blocks(() => map.set(utf8.decode(this.sized()), this.value(type.values, depth + 1)));
        return map;
      }
      default:
        return unreachable(type);
    }
  }

  /** Runs of items, each with its count; a negative one is followed by the size of the run. */
  private blocks(item: () => void): void {
    for (;;) {
      let count = this.count();
      if (count === 0) return;
      if (count < 0) {
        count = -count;
        this.long();
      }
      for (; count > 0; count--) {
        const before = this.position;
        item();
        if (this.position === before && ++this.emptyItems > EMPTY_ITEMS_MAX)
          throw broken('it has too many items without bytes');
      }
    }
  }

  private choice<T>(choices: readonly T[]): T {
    const index = this.count();
    const chosen = choices[index];
    if (chosen === undefined) throw broken(`there is no choice ${index} of ${choices.length}`);
    return chosen;
  }

  private sized(): Buffer {
    const size = this.count();
    if (size < 0) throw broken(`${size} is no size`);
    const from = this.take(size);
    return this.bytes.subarray(from, from + size);
  }

  private count(): number {
    const count = Number(this.long());
    if (!Number.isSafeInteger(count)) throw broken(`${count} is no number of items`);
    return count;
  }

  /** Seven bits a byte, smallest first, sign in the lowest bit. */
  private long(): bigint {
    let bits = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.bytes.readUInt8(this.take(1));
      bits |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, (bits >> 1n) ^ -(bits & 1n));
    }
    throw broken('a number is longer than any may be');
  }

  private take(size: number): number {
    const from = this.position;
    if (from + size > this.bytes.length) throw broken('it ends too early');
    this.position = from + size;
    return from;
  }
}

function integer(value: bigint, logical: string | null): EventValue {
  const number = Number(value);
  switch (logical) {
    case 'timestamp-millis':
      return inRange(number) ? new Timestamp(number) : number;
    case 'timestamp-micros':
      return inRange(number / 1000)
        ? new Timestamp(Math.floor(number / 1000), Number(((value % 1000n) + 1000n) % 1000n) * NANOS_PER_MICRO)
        : number;
    case 'date':
      return inRange(number * DAY_MS) ? new Date(number * DAY_MS).toISOString().slice(0, 10) : number;
    default:
      return Number.isSafeInteger(number) ? number : value;
  }
}

const DAY_MS = 86_400_000;
/** Largest time of ECMAScript. */
const MILLIS_MAX = 8.64e15;

function inRange(epochMs: number): boolean {
  return Math.abs(epochMs) <= MILLIS_MAX;
}

/** Longest unscaled value of a decimal, in bytes: a double holds no more. */
const DECIMAL_BYTES_MAX = 64;

function binary(bytes: Buffer, logical: string | null, scale: number): EventValue {
  if (logical !== 'decimal' || bytes.length > DECIMAL_BYTES_MAX) return utf8.decode(bytes);
  const unscaled = bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex')}`));
  return asFloat(Number(`${unscaled}e-${scale}`));
}

function broken(why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `this is no Avro of the schema: ${why}`);
}
