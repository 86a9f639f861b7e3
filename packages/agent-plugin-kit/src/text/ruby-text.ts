/**
 * Values as Ruby prints them: `to_s` for what stands alone, `inspect` for what stands inside a list or a map. Hashes and ids
 * made of such texts must be those of other agents, so every sign counts.
 */
import { type EventValue, escapedText, Timestamp } from '@shoal/agent-event';
import { DoubleNumber } from '@shoal/core';

/** Sizes from which on, and below which, Ruby of Java prints a float with an exponent. */
const EXPONENT_FROM = 1e19;
const EXPONENT_BELOW = 1e-4;

/** `to_s`: a text as it is, null as nothing. */
export function rubyText(value: EventValue): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : rubyInspect(value);
}

/** `Array#join`: lists inside are joined too. */
export function rubyJoin(values: readonly EventValue[], separator: string): string {
  return values.map((value) => (Array.isArray(value) ? rubyJoin(value, separator) : rubyText(value))).join(separator);
}

/** `inspect`. */
export function rubyInspect(value: EventValue): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : rubyFloatText(value);
  if (value instanceof DoubleNumber) return rubyFloatText(value.value);
  if (value instanceof Timestamp) return value.toString();
  if (Array.isArray(value)) return `[${value.map(rubyInspect).join(', ')}]`;
  if (value instanceof Map) {
    return `{${[...value].map(([name, item]) => `${quoted(name)}=>${rubyInspect(item)}`).join(', ')}}`;
  }
  return String(value);
}

/** `Float#to_s`: with a point in it, or an exponent. */
export function rubyFloatText(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (size !== 0 && (size < EXPONENT_BELOW || size >= EXPONENT_FROM)) {
    const [digits = '', exponent = ''] = value.toExponential().split('e');
    const sign = exponent.startsWith('-') ? '-' : '+';
    return `${digits.includes('.') ? digits : `${digits}.0`}e${sign}${exponent.slice(1).padStart(2, '0')}`;
  }
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

function quoted(text: string): string {
  return `"${escapedText(text)}"`;
}
