/**
 * Arithmetic as Ruby has it: integers of any size stay integers, division rounds towards minus infinity, and a float on
 * one side makes the result one. Pure.
 */
import { asFloat, asInteger, DoubleNumber } from '@shoal/core';

/** An integer, or a float. */
export type Operand = bigint | { readonly float: number };

export interface MathFunction {
  /** Why it cannot be called with these; null: it can. */
  refusal(left: Operand, right: Operand): string | null;
  call(left: Operand, right: Operand): Operand;
}

/** Bits of the largest power that is an exact integer; larger ones are infinite. */
const POWER_BITS_MAX = 100_000;
/** Digits behind the point that a double may have: more cannot be rounded away. */
const DIGITS_MAX = 17;

const never = (): null => null;

function realOf(operand: Operand): number {
  return typeof operand === 'bigint' ? Number(operand) : operand.float;
}

function both(
  whole: (a: bigint, b: bigint) => bigint,
  real: (a: number, b: number) => number,
): (left: Operand, right: Operand) => Operand {
  return (left, right) =>
    typeof left === 'bigint' && typeof right === 'bigint'
      ? whole(left, right)
      : { float: real(realOf(left), realOf(right)) };
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

/** The remainder has the sign of the divisor. */
function realModulo(a: number, b: number): number {
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

function power(base: Operand, exponent: Operand): Operand {
  if (typeof base !== 'bigint' || typeof exponent !== 'bigint' || exponent < 0n)
    return { float: realOf(base) ** realOf(exponent) };
  const bits = base.toString(2).length * Number(exponent);
  // Every power of 1, 0 and -1 is small.
  if (bits > POWER_BITS_MAX && (base > 1n || base < -1n)) return { float: Number.POSITIVE_INFINITY };
  return base ** exponent;
}

/** Halves go away from zero; to whole tens and more with fewer than no digits. */
function round(value: Operand, digits: Operand): Operand {
  const places = Math.trunc(realOf(digits));
  if (typeof value === 'bigint') {
    if (places >= 0) return value;
    const unit = 10n ** BigInt(Math.min(-places, POWER_BITS_MAX));
    const size = value < 0n ? -value : value;
    const rounded = ((size + unit / 2n) / unit) * unit;
    return value < 0n ? -rounded : rounded;
  }
  const { float } = value;
  if (!Number.isFinite(float) || places >= DIGITS_MAX) return value;
  if (places <= 0) return round(BigInt(Math.sign(float) * Math.round(Math.abs(float))), BigInt(places));
  // Shifting the point in the text is exact, where multiplying is not.
  const [digitText = '0', exponent = '0'] = Math.abs(float).toExponential().split('e');
  const shifted = Math.round(Number(`${digitText}e${Number(exponent) + places}`));
  return { float: Math.sign(float) * Number(`${shifted}e${-places}`) };
}

const byZero = (_left: Operand, right: Operand): string | null =>
  realOf(right) === 0 ? 'a divisor of zero is not permitted' : null;

/** Such a power is a complex number, which no event can hold. */
const ofNegative = (base: Operand, exponent: Operand): string | null =>
  realOf(base) < 0 && typeof exponent !== 'bigint' ? 'a negative number has no power that is not whole' : null;

const add: MathFunction = {
  refusal: never,
  call: both(
    (a, b) => a + b,
    (a, b) => a + b,
  ),
};
const subtract: MathFunction = {
  refusal: never,
  call: both(
    (a, b) => a - b,
    (a, b) => a - b,
  ),
};
const multiply: MathFunction = {
  refusal: never,
  call: both(
    (a, b) => a * b,
    (a, b) => a * b,
  ),
};
const divide: MathFunction = { refusal: byZero, call: both(floorDivide, (a, b) => a / b) };
const modulo: MathFunction = { refusal: byZero, call: both((a, b) => a - b * floorDivide(a, b), realModulo) };
const floatDivide: MathFunction = { refusal: byZero, call: (a, b) => ({ float: realOf(a) / realOf(b) }) };
const rounding: MathFunction = { refusal: never, call: round };
const raising: MathFunction = { refusal: ofNegative, call: power };

/** By all names that configurations have for them. */
export const MATH_FUNCTIONS: ReadonlyMap<string, MathFunction> = new Map([
  ...named(add, '+', 'add', 'plus'),
  ...named(subtract, '-', 'sub', 'subtract'),
  ...named(multiply, '*', 'mpx', 'times', 'multiply'),
  ...named(rounding, 'round'),
  ...named(raising, '**', '^', 'to the power of'),
  ...named(divide, '/', 'div', 'divide'),
  ...named(modulo, 'mod', 'modulo'),
  ...named(floatDivide, 'fdiv', 'float divide'),
]);

function named(operation: MathFunction, ...names: readonly string[]): [string, MathFunction][] {
  return names.map((name) => [name, operation]);
}

/** A number of an event, or of the options, as an operand; null for what is none. */
export function operandOf(value: unknown): Operand | null {
  if (typeof value === 'bigint') return value;
  if (value instanceof DoubleNumber) return { float: value.value };
  if (typeof value !== 'number') return null;
  return Number.isInteger(value) ? BigInt(value) : { float: value };
}

/** A result as the value of a field: floats that are whole stay floats. */
export function fieldValue(operand: Operand): number | bigint | DoubleNumber {
  return typeof operand === 'bigint' ? asInteger(operand) : asFloat(operand.float);
}
