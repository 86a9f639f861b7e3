/**
 * Values as users see them: dates in a format and zone, booleans by name, addresses as text, numbers by a pattern.
 */
import { DoubleNumber } from '@shoal/core';
import { type CellGrid, cellName } from '@shoal/geo';
import { dateFormatter, printVersion, timeZone } from '@shoal/schema';
import type { BucketKey, KeyKind } from './bucket-key.ts';
import { printDecimal } from './decimal-pattern.ts';

/** How a field's values are shown; `decimal` holds a pattern of Java's DecimalFormat. */
export type ValueFormat =
  | { readonly kind: 'plain' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'ip' }
  | { readonly kind: 'version' }
  | { readonly kind: 'binary' }
  | { readonly kind: 'date'; readonly format: string; readonly timeZone: string }
  | { readonly kind: 'decimal'; readonly pattern: string }
  /** Cells of the globe. */
  | CellGrid;

export const PLAIN_FORMAT: ValueFormat = { kind: 'plain' };

/** Format of merged results: shards that do not have the field know none. */
export function formatOf(partials: readonly { readonly format: ValueFormat }[]): ValueFormat {
  return partials.find(({ format }) => format.kind !== 'plain')?.format ?? PLAIN_FORMAT;
}

export interface ValuePrinter {
  /** JSON of a `key` or `value`. */
  shown(value: BucketKey, kind: KeyKind): unknown;
  /** `key_as_string`, `value_as_string`; null where the plain value says all. */
  text(value: BucketKey): string | null;
}

/** Farthest instant: a sum or a variance of dates beyond what 64 bits hold is shown as this. */
const LONGEST_MS = 2 ** 63;

/** Compiled once for all values of an answer. */
export function valuePrinter(format: ValueFormat): ValuePrinter {
  const text = textPrinter(format);
  const shown = (value: BucketKey, kind: KeyKind): unknown => {
    if (typeof value === 'string') return printText(value, format);
    if (format.kind === 'geohash' || format.kind === 'geotile') return cellName(format, value);
    return kind === 'double' && typeof value === 'number' ? new DoubleNumber(value) : value;
  };
  return { text, shown };
}

function textPrinter(format: ValueFormat): (value: BucketKey) => string | null {
  switch (format.kind) {
    case 'plain':
    case 'ip':
    case 'version':
    case 'binary':
    case 'geohash':
    case 'geotile':
      return () => null;
    case 'boolean':
      return (value) => String(Number(value) !== 0);
    case 'decimal':
      return (value) => printDecimal(Number(value), format.pattern);
    case 'date': {
      const formatter = dateFormatter(format.format);
      const zone = timeZone(format.timeZone);
      return (value) => {
        const number = Number(value);
        // No number is printed as the whole number that Java makes of it.
        const ms = Number.isNaN(number) ? 0 : Math.trunc(Math.max(-LONGEST_MS, Math.min(LONGEST_MS, number)));
        return formatter.print(ms, zone.offsetMinutes(ms));
      };
    }
  }
}

function printText(value: string, { kind }: ValueFormat): string {
  if (kind === 'ip') return printAddress(value);
  if (kind === 'version') return printVersion(value);
  return kind === 'binary' ? printBytes(value) : value;
}

/** Bytes, as characters, in Base64 without padding. */
function printBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('base64').replace(/=+$/, '');
}

const MAPPED_PREFIX = '\0\0\0\0\0\0\0\0\0\0\u00ff\u00ff';

/** 16 bytes, as characters, in the notation of addresses; IPv4 where it is one. */
export function printAddress(bytes: string): string {
  if (bytes.startsWith(MAPPED_PREFIX)) return Array.from(bytes.slice(12), (c) => c.charCodeAt(0)).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => bytes.charCodeAt(2 * i) * 256 + bytes.charCodeAt(2 * i + 1));
  const [start, length] = longestZeros(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

/** Start and length of the longest run of zero groups, the first of equal ones. */
function longestZeros(groups: readonly number[]): readonly [number, number] {
  let best: readonly [number, number] = [0, 0];
  for (let i = 0; i < groups.length; i++) {
    let end = i;
    while (end < groups.length && groups[end] === 0) end++;
    if (end - i > best[1]) best = [i, end - i];
  }
  return best;
}
