/**
 * Boxes between two latitudes and two longitudes.
 */

/** Degrees; `west` is greater than `east` in a box over the date line. */
export interface GeoBox {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}
