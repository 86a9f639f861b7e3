/**
 * How conditions compare values: strictly by kind. Numbers compare across integer and float; a text never equals a number
 * or a timestamp; what is missing or null equals nothing.
 */

import { type EventValue, printValue, Timestamp } from '@shoal/agent-event';
import { DoubleNumber } from '@shoal/core';

export type MaybeValue = EventValue | undefined;

/** `if [field]`: by what is printed, so that the texts "" and "false" are false, and 0 and empty lists are true. */
export function isTrue(value: MaybeValue): boolean {
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 'false';
}

export function areEqual(left: MaybeValue, right: MaybeValue): boolean {
  if (left === undefined || right === undefined || left === null || right === null) return false;
  return left === right || areDeeplyEqual(left, right);
}

/** Inside lists and maps null equals null. */
function areDeeplyEqual(left: EventValue, right: EventValue): boolean {
  if (left === right) return true;
  const a = asNumber(left);
  if (a !== null) {
    const b = asNumber(right);
    return b !== null && compareNumbers(a, b) === 0;
  }
  if (left instanceof Timestamp) return right instanceof Timestamp && left.equals(right);
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, i) => areDeeplyEqual(item, right[i] ?? null))
    );
  }
  if (!(left instanceof Map) || !(right instanceof Map) || left.size !== right.size) return false;
  return [...left].every(([name, value]) => {
    const other = right.get(name);
    return other !== undefined && areDeeplyEqual(value, other);
  });
}

/** Below 0, 0, above 0; null when the kinds differ or have no order. */
export function orderOf(left: MaybeValue, right: MaybeValue): number | null {
  if (left === undefined || right === undefined) return null;
  if (typeof left === 'string') return typeof right === 'string' ? (left < right ? -1 : left === right ? 0 : 1) : null;
  if (left instanceof Timestamp) {
    if (!(right instanceof Timestamp)) return null;
    return left.epochMs - right.epochMs || left.nanos - right.nanos;
  }
  const a = asNumber(left);
  const b = asNumber(right);
  return a === null || b === null ? null : compareNumbers(a, b);
}

/** `a in b` where b is a field: a text in a text, an item in a list, else equality. */
export function isIn(item: MaybeValue, container: MaybeValue): boolean {
  if (item === undefined || item === null || container === undefined || container === null) return false;
  if (typeof container === 'string') return typeof item === 'string' && container.includes(item);
  if (Array.isArray(container)) return container.some((one) => areEqual(item, one));
  return areEqual(item, container);
}

/** `a in ["x", 1]`: compared as text. */
export function isInTexts(item: MaybeValue, texts: ReadonlySet<string>): boolean {
  return item !== undefined && item !== null && texts.has(typeof item === 'string' ? item : printValue(item));
}

function asNumber(value: EventValue): number | bigint | null {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return value instanceof DoubleNumber ? value.value : null;
}

/** JavaScript orders a bigint and a number by value, without loss. NaN is after everything and equals nothing. */
function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  return a > b ? 1 : Number.isNaN(a) || Number.isNaN(b) ? 1 : 0;
}
