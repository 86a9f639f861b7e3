/**
 * `==` and `<=>` of values.
 */
import {
  isFloat,
  isInteger,
  numberOf,
  RubyHash,
  RubyObject,
  RubyRange,
  RubyString,
  RubySymbol,
  type Value,
} from './ruby-value.ts';

export function equals(a: Value, b: Value): boolean {
  if (a === b) return !(typeof a === 'number' && Number.isNaN(a));
  if (a instanceof RubyString) return b instanceof RubyString && a.text === b.text;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equals(item, b[index] ?? null));
  }
  if (a instanceof RubyHash) return b instanceof RubyHash && hashesEqual(a, b);
  if (a instanceof RubyRange) {
    return b instanceof RubyRange && equals(a.from, b.from) && equals(a.to, b.to) && a.isExclusive === b.isExclusive;
  }
  if (a instanceof RubyObject) return b instanceof RubyObject && a.equals(b);
  const left = numberOf(a);
  const right = numberOf(b);
  if (left === null || right === null) return false;
  // Integers beyond 2^53 are bigints, which are the same only when they were above.
  return typeof a === 'bigint' && typeof b === 'bigint' ? a === b : left === right;
}

function hashesEqual(a: RubyHash, b: RubyHash): boolean {
  if (a.entries.size !== b.entries.size) return false;
  for (const [key, { value }] of a.entries) {
    const other = b.entries.get(key);
    if (other === undefined || !equals(value, other.value)) return false;
  }
  return true;
}

/** `eql?`: an integer is no float. */
export function isSame(a: Value, b: Value): boolean {
  return equals(a, b) && isInteger(a) === isInteger(b) && isFloat(a) === isFloat(b);
}

/** null for values that have no order. */
export function compare(a: Value, b: Value): number | null {
  if (a instanceof RubyString) return b instanceof RubyString ? compareTexts(a.text, b.text) : null;
  if (a instanceof RubySymbol) return b instanceof RubySymbol ? compareTexts(a.name, b.name) : null;
  if (Array.isArray(a)) return Array.isArray(b) ? compareArrays(a, b) : null;
  if (typeof a === 'bigint' || typeof b === 'bigint') {
    const left = typeof a === 'bigint' ? a : numberOf(a);
    const right = typeof b === 'bigint' ? b : numberOf(b);
    return left === null || right === null ? null : order(left, right);
  }
  const left = numberOf(a);
  if (left !== null) {
    const right = numberOf(b);
    return right === null || Number.isNaN(left) || Number.isNaN(right) ? null : order(left, right);
  }
  if (a instanceof RubyObject && b instanceof RubyObject) {
    const made = a.compareTo(b);
    if (made !== null) return made;
  }
  return equals(a, b) ? 0 : null;
}

function order(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** By bytes of UTF-8: surrogates stand above all other units. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return order(byteRank(left), byteRank(right));
  }
  return order(a.length, b.length);
}

function byteRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}

function compareArrays(a: readonly Value[], b: readonly Value[]): number | null {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const one = compare(a[i] ?? null, b[i] ?? null);
    if (one !== 0) return one;
  }
  return order(a.length, b.length);
}
