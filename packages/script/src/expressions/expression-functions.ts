/**
 * Functions of expressions, by name, with the count of their inputs.
 */
import { arcDistance } from '@shoal/geo';

export interface ExpressionFunction {
  readonly arity: number;
  run(...inputs: readonly number[]): number;
}

const METERS_PER_KILOMETER = 1_000;

function one(run: (x: number) => number): ExpressionFunction {
  return { arity: 1, run: (x = 0) => run(x) };
}

function two(run: (x: number, y: number) => number): ExpressionFunction {
  return { arity: 2, run: (x = 0, y = 0) => run(x, y) };
}

/** Inverses of hyperbolic functions by logarithms, whose last bits differ from those of `Math`. */
function inverseHyperbolicSine(x: number): number {
  if (Math.abs(x) === Number.POSITIVE_INFINITY || x === 0) return x;
  const size = Math.abs(x);
  return Math.sign(x) * Math.log(Math.sqrt(size * size + 1) + size);
}

export const EXPRESSION_FUNCTIONS: ReadonlyMap<string, ExpressionFunction> = new Map([
  ['abs', one(Math.abs)],
  ['acos', one(Math.acos)],
  ['acosh', one((x) => Math.log(Math.sqrt(x * x - 1) + x))],
  ['asin', one(Math.asin)],
  ['asinh', one(inverseHyperbolicSine)],
  ['atan', one(Math.atan)],
  ['atan2', two(Math.atan2)],
  ['atanh', one((x) => 0.5 * Math.log((1 + x) / (1 - x)))],
  ['ceil', one(Math.ceil)],
  ['cos', one(Math.cos)],
  ['cosh', one(Math.cosh)],
  ['exp', one(Math.exp)],
  ['floor', one(Math.floor)],
  [
    'haversin',
    {
      arity: 4,
      run: (lat = 0, lon = 0, otherLat = 0, otherLon = 0) =>
        arcDistance(lat, lon, otherLat, otherLon) / METERS_PER_KILOMETER,
    },
  ],
  ['ln', one(Math.log)],
  ['log10', one(Math.log10)],
  ['logn', two((base, x) => Math.log(x) / Math.log(base))],
  ['max', two(Math.max)],
  ['min', two(Math.min)],
  ['pow', two((x, y) => x ** y)],
  ['sin', one(Math.sin)],
  ['sinh', one(Math.sinh)],
  ['sqrt', one(Math.sqrt)],
  ['tan', one(Math.tan)],
  ['tanh', one(Math.tanh)],
]);
