/**
 * Segments of straight lines: on which side of one a point lies, and whether two have a point in common.
 */

/** Above 0 where c lies to the left of the line from a to b, below 0 to its right, 0 on it. */
export function sideOf(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  return Math.sign((bx - ax) * (cy - ay) - (cx - ax) * (by - ay));
}

/** The two cross at a point that is an end of neither. */
export function segmentsCross(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): boolean {
  return (
    sideOf(cx, cy, dx, dy, ax, ay) * sideOf(cx, cy, dx, dy, bx, by) < 0 &&
    sideOf(ax, ay, bx, by, cx, cy) * sideOf(ax, ay, bx, by, dx, dy) < 0
  );
}

/** Like `segmentsCross`, ends included. The caller has seen that the boxes around the two overlap. */
export function segmentsTouch(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): boolean {
  return (
    sideOf(cx, cy, dx, dy, ax, ay) * sideOf(cx, cy, dx, dy, bx, by) <= 0 &&
    sideOf(ax, ay, bx, by, cx, cy) * sideOf(ax, ay, bx, by, dx, dy) <= 0
  );
}
