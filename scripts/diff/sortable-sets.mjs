/**
 * Sets of numbers as a column has them: whole numbers, and those that floats and doubles sort by.
 */

/** Floats and doubles as whole numbers that sort as they do. */
const sortable = {
  float(value) {
    const bits = new Int32Array(Float32Array.of(value).buffer)[0];
    return BigInt(bits ^ ((bits >> 31) & 0x7fffffff));
  },
  double(value) {
    const bits = new BigInt64Array(Float64Array.of(value).buffer)[0];
    return bits < 0n ? bits ^ 0x7fffffffffffffffn : bits;
  },
};

/** Whether a set of ascending numbers is one of whole numbers in any order: of the same, or those that floats or doubles sort by. */
export function isSameSet(own, peer) {
  const keys = peer.map(BigInt).sort((a, b) => (a < b ? -1 : 1));
  const isSame = (made) => made.length === keys.length && made.every((one, at) => one === keys[at]);
  if (own.every((text) => /^-?\d+$/.test(text))) return isSame(own.map(BigInt));
  return Object.values(sortable).some((keyOf) => isSame(own.map((text) => keyOf(Number(text)))));
}
