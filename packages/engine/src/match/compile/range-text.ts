/**
 * Ranges as Lucene prints them in explanations: numbers in the form in which they are indexed, addresses in full, texts as they are.
 */
import { javaDoubleText, javaFloatText } from '@shoal/core';
import type { FieldMapping } from '@shoal/schema';
import type { NumberBounds, TermBounds } from '../../field-types/contract/field-match.ts';
import { fieldType } from '../../field-types/field-types.ts';

const INT_MAX = 0x7fff_ffff;
const LONG_MAX = 2n ** 63n - 1n;
const ADDRESS_BYTES = 16;
const GROUPS = 8;
/** Ranges of all that whole numbers of 32 and of 64 bits may be. */
const OPEN_WHOLES = [`:[${-INT_MAX - 1} TO ${INT_MAX}]`, `:[${-LONG_MAX - 1n} TO ${LONG_MAX}]`];
/** First bytes of addresses of four bytes. */
const MAPPED = Buffer.from('00000000000000000000ffff', 'hex');

/** Bounds of a field's numbers; both count. */
export function numberRangeText(field: FieldMapping, { from, to }: NumberBounds): string {
  const print = numberPrinter(field);
  return `${field.path}:[${print(from)} TO ${print(to)}]`;
}

/** The same bounds as Lucene asks them of a column: fractions by their bits, and no bounds at all as having a value. */
export function numberColumnText(field: FieldMapping, bounds: NumberBounds): string {
  const { from, to } = bounds;
  const isWhole = !(field.kind === 'float' || field.kind === 'double');
  const text = numberRangeText(field, bounds);
  if (isWhole && OPEN_WHOLES.some((open) => text === field.path + open)) {
    return `ConstantScore(FieldExistsQuery [field=${field.path}])`;
  }
  if (isWhole) return text;
  const print = field.kind === 'float' ? floatBits : doubleBits;
  return `${field.path}:[${print(Number(from))} TO ${print(Number(to))}]`;
}

const BITS = new DataView(new ArrayBuffer(8));

/** Bits of a float as a whole number that sorts as it does. */
function floatBits(value: number): string {
  BITS.setFloat32(0, value);
  const bits = BITS.getInt32(0);
  return String(bits ^ ((bits >> 31) & INT_MAX));
}

/** Bits of a double as a whole number that sorts as it does. */
function doubleBits(value: number): string {
  BITS.setFloat64(0, value);
  const bits = BITS.getBigInt64(0);
  return String(BigInt.asIntN(64, bits ^ ((bits >> 63n) & LONG_MAX)));
}

/** Any of some numbers, or of some instants, each of which is a range. */
export function numberSetText(field: FieldMapping, bounds: readonly (NumberBounds | null)[]): string {
  const known = bounds.filter((one) => one !== null);
  if (field.kind === 'date' || field.kind === 'date_nanos') {
    return `ConstantScore(${known.map((one) => numberRangeText(field, one)).join(' ')})`;
  }
  const print = numberPrinter(field);
  const numbers = known.map(({ from }) => from).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return `${field.path}:{${[...new Set(numbers.map(print))].join(' ')}}`;
}

function numberPrinter({ kind, scalingFactor }: FieldMapping): (bound: number | bigint) => string {
  switch (kind) {
    case 'integer':
    case 'short':
    case 'byte':
      return (bound) => String(Math.max(-INT_MAX - 1, Math.min(INT_MAX, Number(bound))));
    case 'float':
    case 'half_float':
      return (bound) => javaFloatText(Number(bound)).replaceAll('"', '');
    case 'double':
      return (bound) => javaDoubleText(Number(bound)).replaceAll('"', '');
    case 'scaled_float':
      return (bound) => wholeText(Math.round(Number(bound) * scalingFactor));
    default:
      return wholeText;
  }
}

/** A whole number of 64 bits; what is beyond them is the last one. */
function wholeText(bound: number | bigint): string {
  if (bound === Number.POSITIVE_INFINITY) return String(LONG_MAX);
  if (bound === Number.NEGATIVE_INFINITY) return String(-LONG_MAX - 1n);
  const whole = BigInt(bound);
  return String(whole > LONG_MAX ? LONG_MAX : whole < -LONG_MAX - 1n ? -LONG_MAX - 1n : whole);
}

/** Bounds of a field's terms. */
export function termRangeText({ path, kind }: FieldMapping, bounds: TermBounds): string {
  if (kind === 'ip') return `${path}:[${addressText(lowest(bounds), 0)} TO ${addressText(highest(bounds), 0xff)}]`;
  const { from, includesFrom, to, includesTo } = bounds;
  const { shownTerm } = fieldType(kind);
  const text = (term: Uint8Array | null): string =>
    term === null ? '*' : Buffer.from(shownTerm?.(term) ?? term).toString('utf8');
  const open = from === null || includesFrom ? '[' : '{';
  return `${path}:${open}${text(from)} TO ${text(to)}${to === null || includesTo ? ']' : '}'}`;
}

/** First address of a range. */
const lowest = ({ from, includesFrom }: TermBounds): Uint8Array | null =>
  from === null || includesFrom ? from : neighbour(from, 1n);

/** Last address of a range. */
const highest = ({ to, includesTo }: TermBounds): Uint8Array | null =>
  to === null || includesTo ? to : neighbour(to, -1n);

/** Address behind or before another; the last and the first of all have none, and stay. */
function neighbour(address: Uint8Array, step: 1n | -1n): Uint8Array {
  const bytes = Buffer.from(address);
  const next = BigInt(`0x${bytes.toString('hex')}`) + step;
  if (next < 0n || next >= 1n << BigInt(8 * ADDRESS_BYTES)) return address;
  return Buffer.from(next.toString(16).padStart(2 * ADDRESS_BYTES, '0'), 'hex');
}

/** A value that is looked for as the one of a range. */
export function exactTermText(field: FieldMapping, term: Uint8Array): string {
  if (field.kind !== 'ip') return `${field.path}:${Buffer.from(term).toString('utf8')}`;
  return termRangeText(field, { from: term, includesFrom: true, to: term, includesTo: true });
}

/** Any of some addresses, in their order. */
export function addressSetText(field: FieldMapping, addresses: readonly Uint8Array[]): string {
  const sorted = [...addresses].sort((a, b) => Buffer.compare(a, b));
  return `${field.path}:{${[...new Set(sorted.map((one) => addressText(one, 0)))].join(' ')}}`;
}

/** @param filler byte of the last address on the side of an open bound */
function addressText(address: Uint8Array | null, filler: number): string {
  const bytes = Buffer.from(address ?? new Uint8Array(ADDRESS_BYTES).fill(filler));
  if (bytes.subarray(0, MAPPED.length).equals(MAPPED)) return bytes.subarray(MAPPED.length).join('.');
  return Array.from({ length: GROUPS }, (_, at) => bytes.readUInt16BE(2 * at).toString(16)).join(':');
}
