/**
 * A value as text, as `%{field}` prints it.
 */
import { DoubleNumber, javaDoubleText } from '@shoal/core';
import { jsonText } from '../json/value-json-text.ts';
import type { EventValue } from '../values/event-value.ts';

/** Map: JSON. Array: items joined with `,`. Float: at least one digit behind the point. null: empty. */
export function printValue(value: EventValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return printNumber(value);
  if (value === null) return '';
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof DoubleNumber) return printFloat(value.value);
  if (Array.isArray(value)) return value.map(printValue).join(',');
  if (value instanceof Map) return jsonText(value);
  return value.toString();
}

function printNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  return Number.isInteger(value) ? BigInt(value).toString() : printFloat(value);
}

function printFloat(value: number): string {
  return Number.isFinite(value) ? javaDoubleText(value) : String(value);
}
