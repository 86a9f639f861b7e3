/**
 * Student's t-distribution: how likely a value at least as far from 0 is, to one side.
 *
 * The regularized incomplete beta function by its continued fraction, evaluated by the modified method of Lentz (W. J. Thompson,
 * A. R. Barnett, 1986); the gamma function by the approximation of C. Lanczos (1964).
 */

const LANCZOS_G = 607 / 128;
const LANCZOS: readonly number[] = [
  0.9999999999999971, 57.15623566586292, -59.59796035547549, 14.136097974741746, -0.4919138160976202,
  0.00003399464998481189, 0.00004652362892704858, -0.00009837447530487956, 0.0001580887032249125,
  -0.00021026444172410488, 0.00021743961811521265, -0.0001643181065367639, 0.00008441822398385275,
  -0.000026190838401581408, 0.0000036899182659531625,
];
/** Relative error at which the fraction counts as exact. */
const PRECISION = 1e-15;
/** Stands for 0 where a division by it would follow. */
const TINY = 1e-300;
/** The fraction needs about the square root of its parameters. */
const TERMS_MAX = 100_000;

/** P(T <= -|t|) with so many degrees of freedom, which need not be whole; NaN without any. */
export function studentTail(t: number, degrees: number): number {
  if (!(degrees > 0) || Number.isNaN(t)) return Number.NaN;
  if (!Number.isFinite(t)) return 0;
  const square = t * t;
  return 0.5 * regularizedBeta(degrees / (degrees + square), square / (degrees + square), degrees / 2, 0.5);
}

/** @param rest 1 - x, where x is too near to 1 to tell */
function regularizedBeta(x: number, rest: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (rest <= 0) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(rest));
  // The fraction converges fast on this side of the mean; the other is its complement.
  if (x < (a + 1) / (a + b + 2)) return (front * betaFraction(x, a, b)) / a;
  return 1 - (front * betaFraction(rest, b, a)) / b;
}

function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= TERMS_MAX; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < PRECISION) break;
  }
  return fraction;
}

function nonZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

function logGamma(x: number): number {
  let sum = LANCZOS[0] ?? 1;
  for (let i = 1; i < LANCZOS.length; i++) sum += (LANCZOS[i] ?? 0) / (x + i);
  const base = x + LANCZOS_G + 0.5;
  return (x + 0.5) * Math.log(base) - base + Math.log((Math.sqrt(2 * Math.PI) * sum) / x);
}
