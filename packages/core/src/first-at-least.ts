/** First position of from..to - 1 in ascending values with one of at least `least`; `to` where none is. */
export function firstAtLeast(values: ArrayLike<number>, least: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
