/**
 * Plan of packed numbers: the base, unit, divisor and width with which every value of a column comes back exactly.
 */

import { assert } from '@shoal/core';
import type { NumberChunks } from './number-chunks.ts';

export const WIDTH_MAX = 6;

export const BYTE = 256;

export interface PackedPlan {
  readonly base: number;
  readonly unit: number;
  readonly divisor: number;
  readonly isLinear: boolean;
  /** Bytes a value: 0 to 6. */
  readonly width: number;
}

/** Powers of ten by which fractions are multiplied to become whole numbers. */
const DIVISORS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];

/**
 * null when the values are no whole numbers, nor fractions of few decimal places, or span too much. Yields every millisecond or
 * so, as all here that looks at every value.
 */
export function* planPackedNumbers(values: NumberChunks): Generator<void, PackedPlan | null> {
  for (const divisor of DIVISORS) {
    const spans = yield* wholeSpans(values, divisor);
    if (spans !== null) return yield* planWhole(values, divisor, spans);
  }
  return null;
}

/** Extremes of whole numbers, unchanged and less their own index. */
class Spans {
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;
  linearMin = Number.POSITIVE_INFINITY;
  linearMax = Number.NEGATIVE_INFINITY;
}

/** null when some value is no whole number of 1 / divisor. */
function* wholeSpans(values: NumberChunks, divisor: number): Generator<void, Spans | null> {
  const spans = new Spans();
  let from = 0;
  for (const chunk of values.chunks()) {
    if (!widen(spans, chunk, from, divisor)) return null;
    from += chunk.length;
    yield;
  }
  return spans;
}

/** `from`: index of the first value of the chunk. */
function widen(spans: Spans, chunk: Float64Array, from: number, divisor: number): boolean {
  let { min, max, linearMin, linearMax } = spans;
  for (let i = 0; i < chunk.length; i++) {
    const value = chunk[i] as number;
    const whole = Math.round(value * divisor);
    if (whole / divisor !== value || Math.abs(whole) > Number.MAX_SAFE_INTEGER) return false;
    // Minus zero would lose its sign.
    if (whole === 0 && Object.is(whole, -0)) return false;
    const linear = whole - (from + i);
    if (whole < min) min = whole;
    if (whole > max) max = whole;
    if (linear < linearMin) linearMin = linear;
    if (linear > linearMax) linearMax = linear;
  }
  spans.min = min;
  spans.max = max;
  spans.linearMin = linearMin;
  spans.linearMax = linearMax;
  return true;
}

function* planWhole(values: NumberChunks, divisor: number, spans: Spans): Generator<void, PackedPlan | null> {
  // Only for fewer bytes: without, values are read faster, and may have a unit in common.
  const isLinear = bytesOf(spans.linearMax - spans.linearMin) < bytesOf(spans.max - spans.min);
  const base = isLinear ? spans.linearMin : spans.min;
  const max = isLinear ? spans.linearMax : spans.max;
  // What is added up when a value is read stays exact too.
  if (!Number.isSafeInteger(base) || !Number.isSafeInteger(max - base)) return null;
  const unit = max === base ? 1 : yield* commonUnit(values, divisor, base, isLinear);
  assert((max - base) % unit === 0, `values from ${base} to ${max} in units of ${unit}`);
  let width = 0;
  while (width <= WIDTH_MAX && BYTE ** width <= (max - base) / unit) width++;
  return width > WIDTH_MAX ? null : { base, unit, divisor, isLinear, width };
}

/** Bytes that numbers up to `span` take. */
function bytesOf(span: number): number {
  let width = 0;
  while (BYTE ** width <= span) width++;
  return width;
}

/** What all distances from the base are multiples of, such as a day of milliseconds. */
function* commonUnit(values: NumberChunks, divisor: number, base: number, isLinear: boolean): Generator<void, number> {
  let unit = 0;
  let from = 0;
  for (const chunk of values.chunks()) {
    for (let i = 0; i < chunk.length && unit !== 1; i++) {
      let rest = Math.round((chunk[i] as number) * divisor) - (isLinear ? from + i : 0) - base;
      while (rest !== 0) [unit, rest] = [rest, unit % rest];
    }
    if (unit === 1) break;
    from += chunk.length;
    yield;
  }
  return Math.max(unit, 1);
}
