/**
 * Values of a `scaled_float` as numbers.
 */

/** The value that stands for a number: the nearest multiple of the factor's reciprocal, halves up, within 64 bits. */
export function scaled(number: number, factor: number): number {
  return multiple(Math.round(number * factor), factor);
}

/** A count of the factor's reciprocals, held within 64 bits, as a number. */
export function multiple(count: number, factor: number): number {
  // Adding zero turns minus zero, which no whole number has, into zero.
  return Math.min(Math.max(count, -(2 ** 63)), 2 ** 63) / factor + 0;
}
