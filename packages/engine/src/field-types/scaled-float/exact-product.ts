/**
 * Products of decimals.
 */

/** The double nearest to the product of two numbers as they are written in decimals. */
export function exactProduct(a: number, b: number): number {
  const product = a * b;
  if (!Number.isFinite(product) || product === 0) return product;
  const [digitsA, exponentA] = decimal(a);
  const [digitsB, exponentB] = decimal(b);
  return Number(`${digitsA * digitsB}e${exponentA + exponentB}`);
}

/** All digits as a whole number, and the power of ten that it is multiplied with. */
function decimal(value: number): readonly [bigint, number] {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
