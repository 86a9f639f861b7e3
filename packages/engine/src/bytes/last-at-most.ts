/** Index of the last of the ascending `starts` that is at most `value`; 0 where none is, or there are none. */
export function lastAtMost(starts: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] as number) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
