/**
 * Inclusive bounds of ranges of numbers.
 */
import type { NumberBounds, RangeEnds } from '../contract/field-match.ts';
import type { WholeRange } from '../contract/field-type.ts';
import { halfAbove, halfBelow, roundHalf } from './half-float.ts';
import { narrow } from './number-ranges.ts';
import { queryNumber } from './query-number.ts';

/** Width of floating point values. */
export type FractionWidth = 'half' | 'float' | 'double';

/** Bounds of whole numbers; open ends are those of `range`. */
export function wholeBounds(range: WholeRange, ends: RangeEnds): NumberBounds {
  const from = ends.from === null ? range.min : lowerWhole(queryNumber(ends.from), ends.includesFrom, range);
  const to = ends.to === null ? range.max : upperWhole(queryNumber(ends.to), ends.includesTo, range);
  return { from: narrow(from), to: narrow(to) };
}

function lowerWhole(value: number | bigint, isIncluded: boolean, range: WholeRange): bigint {
  if (typeof value === 'bigint') return isIncluded ? value : value + 1n;
  if (!Number.isFinite(value)) return value > 0 ? range.max + 1n : range.min;
  if (!Number.isInteger(value)) return BigInt(Math.ceil(value));
  return isIncluded ? BigInt(value) : BigInt(value) + 1n;
}

function upperWhole(value: number | bigint, isIncluded: boolean, range: WholeRange): bigint {
  if (typeof value === 'bigint') return isIncluded ? value : value - 1n;
  if (!Number.isFinite(value)) return value > 0 ? range.max : range.min - 1n;
  if (!Number.isInteger(value)) return BigInt(Math.floor(value));
  return isIncluded ? BigInt(value) : BigInt(value) - 1n;
}

/** Bounds of floating point numbers. */
export function fractionBounds(width: FractionWidth, ends: RangeEnds): NumberBounds {
  if (width === 'half') return halfBounds(ends);
  const read = (value: RangeEnds['from']) => (width === 'float' ? Math.fround : Number)(Number(queryNumber(value)));
  const from = ends.from === null ? Number.NEGATIVE_INFINITY : read(ends.from);
  const to = ends.to === null ? Number.POSITIVE_INFINITY : read(ends.to);
  return {
    from: ends.from === null || ends.includesFrom ? from : neighbour(width, from, 1),
    to: ends.to === null || ends.includesTo ? to : neighbour(width, to, -1),
  };
}

/** An end that is included means the value it is rounded to, one that is not the next value behind it as it was given. */
function halfBounds({ from, includesFrom, to, includesTo }: RangeEnds): NumberBounds {
  const read = (value: RangeEnds['from']) => Math.fround(Number(queryNumber(value)));
  const lower = from === null ? Number.NEGATIVE_INFINITY : read(from);
  const upper = to === null ? Number.POSITIVE_INFINITY : read(to);
  return {
    from: from === null || includesFrom ? roundHalf(lower) : halfAbove(lower),
    to: to === null || includesTo ? roundHalf(upper) : halfBelow(upper),
  };
}

/** Next double up. */
export function above(value: number): number {
  return neighbour('double', value, 1);
}

/** Next double down. */
export function below(value: number): number {
  return neighbour('double', value, -1);
}

/** Next value of the width, up (1) or down (-1). */
function neighbour(width: 'float' | 'double', value: number, direction: 1 | -1): number {
  if (!Number.isFinite(value)) return value;
  const view = new DataView(new ArrayBuffer(8));
  if (value === 0) return width === 'float' ? direction * 2 ** -149 : direction * Number.MIN_VALUE;
  // Bit patterns of one sign are ordered by magnitude.
  const step = value > 0 ? direction : -direction;
  if (width === 'float') {
    view.setFloat32(0, value);
    view.setInt32(0, view.getInt32(0) + step);
    return view.getFloat32(0);
  }
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(step));
  return view.getFloat64(0);
}
