/**
 * Floating point numbers of 16 bits, as doubles: 11 significant bits, exponents from -14 on.
 */

/** Largest finite value. */
const MAX = 65_504;
/** Numbers from here on are nearer to the value behind `MAX`, which is none. */
const OVERFLOW = 65_520;
const EXPONENT_MIN = -14;
const FRACTION_BITS = 10;

/** Nearest value, of two as near the even one; infinite beyond the largest. The number is narrowed to a float first. */
export function roundHalf(number: number): number {
  const value = Math.fround(number);
  const magnitude = Math.abs(value);
  if (magnitude >= OVERFLOW) return value > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  if (magnitude === 0 || Number.isNaN(value)) return value;
  const step = stepAt(magnitude);
  const steps = magnitude / step;
  const below = Math.floor(steps);
  const rest = steps - below;
  const isUp = rest > 0.5 || (rest === 0.5 && below % 2 === 1);
  return Math.sign(value) * (isUp ? below + 1 : below) * step;
}

/** Least value above a number. */
export function halfAbove(number: number): number {
  if (!Number.isFinite(number) || number > MAX) return Number.POSITIVE_INFINITY;
  if (number < -MAX) return -MAX;
  const floor = floorHalf(number);
  return floor + stepAbove(floor);
}

/** Greatest value below a number. */
export function halfBelow(number: number): number {
  return -halfAbove(-number);
}

/** Greatest value that is no greater. */
function floorHalf(number: number): number {
  const step = stepAt(Math.abs(number));
  return Math.floor(number / step) * step;
}

/** Distance from a value to the next one above. */
function stepAbove(value: number): number {
  const step = stepAt(Math.abs(value));
  // Towards zero the steps of a power of two are those of the range below it.
  return value < 0 ? Math.max(stepAt(Math.abs(value) - step / 2), stepAt(0)) : step;
}

/** Distance between neighbours of a magnitude. */
function stepAt(magnitude: number): number {
  const exponent = magnitude === 0 ? EXPONENT_MIN : Math.floor(Math.log2(magnitude));
  return 2 ** (Math.max(exponent, EXPONENT_MIN) - FRACTION_BITS);
}
