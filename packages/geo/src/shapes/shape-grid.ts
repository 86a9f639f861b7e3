/**
 * Grids on which shapes are kept: coordinates as whole numbers of 32 bits, in the order of the coordinates.
 */
import {
  latitudeOf,
  latitudeSteps,
  latitudeStepsUp,
  longitudeOf,
  longitudeSteps,
  longitudeStepsUp,
} from '../geo-point.ts';

export interface ShapeGrid {
  readonly kind: 'globe' | 'plane';
  stepsOfX(x: number): number;
  stepsOfY(y: number): number;
  /** First step that is not below a coordinate. */
  stepsUpOfX(x: number): number;
  stepsUpOfY(y: number): number;
  xOf(steps: number): number;
  yOf(steps: number): number;
}

/** Longitudes and latitudes, in the steps of a point column. */
export const GLOBE_GRID: ShapeGrid = {
  kind: 'globe',
  stepsOfX: longitudeSteps,
  stepsOfY: latitudeSteps,
  stepsUpOfX: longitudeStepsUp,
  stepsUpOfY: latitudeStepsUp,
  xOf: longitudeOf,
  yOf: latitudeOf,
};

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/** Floating point numbers of 32 bits. */
export const PLANE_GRID: ShapeGrid = {
  kind: 'plane',
  stepsOfX: stepsOfFloat,
  stepsOfY: stepsOfFloat,
  stepsUpOfX: stepsOfFloat,
  stepsUpOfY: stepsOfFloat,
  xOf: floatOf,
  yOf: floatOf,
};

function stepsOfFloat(value: number): number {
  // The sum is 0 for both zeros, which are one coordinate.
  float[0] = value + 0;
  return inOrder(bits[0] as number);
}

function floatOf(steps: number): number {
  bits[0] = inOrder(steps);
  return float[0] as number;
}

/** Bits of a float to a whole number of the same order, and back: of negative ones all but the sign are turned. */
function inOrder(pattern: number): number {
  return pattern ^ ((pattern >> 31) & 0x7fff_ffff);
}
