/**
 * Values of rows: those of events, and two kinds more that only databases have. Both become values of events when a row becomes one.
 */
import { type EventMap, type EventValue, Timestamp } from '@shoal/agent-event';
import { asFloat, DoubleNumber } from '@shoal/core';

/** A decimal number with all its digits, which a double may not have. */
export class SqlDecimal {
  /** Sign, digits, point, digits. */
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

export type RowValue = EventValue | SqlDecimal | Uint8Array;

/** Bytes become text of one character each, which is how Logstash prints a blob. */
export function eventValueOf(value: RowValue): EventValue {
  if (value instanceof SqlDecimal) return decimalValue(value.text);
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
  return value;
}

/** Whole numbers are exact; what has a fraction is the nearest double. */
function decimalValue(text: string): EventValue {
  if (/^[+-]?\d+$/.test(text)) return integerValue(text);
  const value = Number(text);
  return floatValue(value);
}

export function integerValue(text: string): EventValue {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

/** A float stays one when it is whole. What is not finite has no number in JSON: its name stands for it. */
export function floatValue(value: number): EventValue {
  if (!Number.isFinite(value)) return String(value);
  return asFloat(value);
}

/** The shortest decimal that is the same single-precision float: 1.1, not 1.100000023841858. */
export function singleFloatValue(value: number): EventValue {
  for (let digits = 6; digits <= 9; digits++) {
    const shorter = Number(value.toPrecision(digits));
    if (Math.fround(shorter) === Math.fround(value)) return floatValue(shorter);
  }
  return floatValue(value);
}

/** One row as the fields of an event or of an object below it. A name that comes twice keeps its last value. */
export function rowMap(columns: readonly string[], row: readonly RowValue[]): EventMap {
  const map: EventMap = new Map();
  for (const [i, column] of columns.entries()) map.set(column, eventValueOf(row[i] ?? null));
  return map;
}

/** Text that tells two values apart, their kinds included: for keys of caches. */
export function keyText(value: EventValue | undefined): string {
  if (value instanceof Timestamp) return `t${value}`;
  if (value instanceof DoubleNumber) return `d${value}`;
  if (Array.isArray(value)) return `[${value.map(keyText).join(',')}]`;
  if (value instanceof Map)
    return `{${[...value].map(([name, item]) => `${JSON.stringify(name)}${keyText(item)}`).join(',')}}`;
  return typeof value === 'string' ? JSON.stringify(value) : `${typeof value}${String(value)}`;
}
