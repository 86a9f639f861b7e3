/**
 * Values of features as whole numbers in the same order: the exponent and the eight first bits behind the point of a float.
 */
const view = new DataView(new ArrayBuffer(4));
/** Bits of a float that are left out. */
const DROPPED_BITS = 15;

/** @param value above 0 */
export function featureCode(value: number): number {
  view.setFloat32(0, value);
  return view.getInt32(0) >>> DROPPED_BITS;
}

/** Value of a code: the least of those that have it. */
export function featureValue(code: number): number {
  view.setInt32(0, code << DROPPED_BITS);
  return view.getFloat32(0);
}
