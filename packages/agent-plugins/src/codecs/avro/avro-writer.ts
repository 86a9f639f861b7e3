/**
 * Values of events in Avro's binary form, by a schema. A value that does not fit its type is an error, as in the reference
 * implementations: what is written must be readable by others.
 */
import { type EventValue, Timestamp, toEventValue } from '@shoal/agent-event';
import { DoubleNumber, ShoalError, unreachable } from '@shoal/core';
import type { AvroField, AvroType } from './avro-schema.ts';

const INT_MAX = 2n ** 31n;
const LONG_MAX = 2n ** 63n;

/** @throws ShoalError for a value that the schema does not allow */
export function writeAvro(value: EventValue, type: AvroType): Uint8Array {
  const parts: Uint8Array[] = [];
  write(value, type, parts, '');
  return Buffer.concat(parts);
}

function write(value: EventValue, type: AvroType, parts: Uint8Array[], path: string): void {
  if (!fits(value, type)) throw unfit(path, type);
  switch (type.kind) {
    case 'null':
      return;
    case 'boolean':
      parts.push(Uint8Array.of(value === true ? 1 : 0));
      return;
    case 'int':
    case 'long':
      parts.push(longBytes(integerOf(value, type.logical) ?? 0n));
      return;
    case 'float':
    case 'double': {
      const bytes = Buffer.alloc(type.kind === 'float' ? 4 : 8);
      if (type.kind === 'float') bytes.writeFloatLE(numberOf(value) ?? 0);
      else bytes.writeDoubleLE(numberOf(value) ?? 0);
      parts.push(bytes);
      return;
    }
    case 'string':
    case 'bytes':
      sized(Buffer.from(textOf(value) ?? '', 'utf8'), parts);
      return;
    case 'fixed':
      parts.push(Buffer.from(textOf(value) ?? '', 'utf8'));
      return;
    case 'enum':
      parts.push(longBytes(BigInt(type.symbols.indexOf(String(value)))));
      return;
    case 'union': {
      const index = type.types.findIndex((one) => fits(value, one));
      const chosen = type.types[index];
      if (chosen === undefined) throw unfit(path, type);
      parts.push(longBytes(BigInt(index)));
      write(value, chosen, parts, path);
      return;
    }
    case 'record':
      for (const field of type.fields) write(fieldValue(value, field), field.type, parts, `${path}[${field.name}]`);
      return;
    case 'array':
      writeItems(Array.isArray(value) ? value : [], (item) => write(item, type.items, parts, `${path}[]`), parts);
      return;
    case 'map':
      writeItems(
        value instanceof Map ? [...value] : [],
        ([name, item]) => {
          sized(Buffer.from(name, 'utf8'), parts);
          write(item, type.values, parts, `${path}[${name}]`);
        },
        parts,
      );
      return;
    default:
      unreachable(type);
  }
}

function writeItems<T>(items: readonly T[], item: (one: T) => void, parts: Uint8Array[]): void {
  if (items.length > 0) parts.push(longBytes(BigInt(items.length)));
  for (const one of items) item(one);
  parts.push(longBytes(0n));
}

function fieldValue(record: EventValue, { name, fallback }: AvroField): EventValue {
  const value = record instanceof Map ? record.get(name) : undefined;
  if (value !== undefined) return value;
  return fallback === undefined ? null : toEventValue(fallback);
}

/** Whether the value is of the type; what is inside records, arrays and maps shows when it is written. */
function fits(value: EventValue, type: AvroType): boolean {
  switch (type.kind) {
    case 'null':
      return value === null;
    case 'boolean':
      return typeof value === 'boolean';
    case 'int':
    case 'long': {
      const integer = integerOf(value, type.logical);
      const max = type.kind === 'int' ? INT_MAX : LONG_MAX;
      return integer !== null && integer >= -max && integer < max;
    }
    case 'float':
    case 'double':
      return numberOf(value) !== null;
    case 'string':
    case 'bytes':
      return textOf(value) !== null;
    case 'fixed':
      return Buffer.byteLength(textOf(value) ?? '') === type.size && textOf(value) !== null;
    case 'enum':
      return typeof value === 'string' && type.symbols.includes(value);
    case 'union':
      return type.types.some((one) => fits(value, one));
    case 'record':
      return value instanceof Map && type.fields.every((field) => fits(fieldValue(value, field), field.type));
    case 'map':
      return value instanceof Map;
    case 'array':
      return Array.isArray(value);
    default:
      return unreachable(type);
  }
}

function integerOf(value: EventValue, logical: string | null): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : null;
  if (!(value instanceof Timestamp)) return null;
  if (logical === 'timestamp-millis') return BigInt(value.epochMs);
  return logical === 'timestamp-micros' ? BigInt(value.epochMs) * 1000n + BigInt(Math.floor(value.nanos / 1000)) : null;
}

function numberOf(value: EventValue): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return value instanceof DoubleNumber ? value.value : null;
}

/** Times are text, where the schema does not say otherwise. */
function textOf(value: EventValue): string | null {
  if (typeof value === 'string') return value;
  return value instanceof Timestamp ? value.toString() : null;
}

function sized(bytes: Uint8Array, parts: Uint8Array[]): void {
  parts.push(longBytes(BigInt(bytes.length)), bytes);
}

function longBytes(value: bigint): Uint8Array {
  let bits = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  const bytes: number[] = [];
  while (bits >= 0x80n) {
    bytes.push(Number(bits & 0x7fn) | 0x80);
    bits >>= 7n;
  }
  bytes.push(Number(bits));
  return Uint8Array.from(bytes);
}

function unfit(path: string, type: AvroType): ShoalError {
  const where = path === '' ? 'the event' : path;
  return new ShoalError('illegal_argument_exception', 400, `${where} is no ${type.kind}, as the Avro schema wants it`);
}
