/**
 * Order of byte strings: unsigned bytes from the left, a prefix before what it starts.
 */

/** Compares `bytes[from, to)` with `other`. */
export function compareBytes(bytes: Uint8Array, from: number, to: number, other: Uint8Array): number {
  const length = to - from;
  const shared = Math.min(length, other.length);
  for (let i = 0; i < shared; i++) {
    const difference = (bytes[from + i] as number) - (other[i] as number);
    if (difference !== 0) return difference;
  }
  return length - other.length;
}
