/**
 * `point`: points of a plane as whole numbers of 64 bits in a column; found by shapes, never by value.
 */
import { illegalArgument } from '@shoal/core';
import { type Geometry, PLANE_GRID, parsePlanePoint } from '@shoal/geo';
import { type FieldType, NO_PARTS } from '../contract/field-type.ts';
import { ComposedValue, type IndexedValue } from '../contract/indexed-value.ts';
import { SHAPE } from '../geo-shape/geo-shape.ts';
import { geometryPrinter } from '../geo-shape/shape-type.ts';

const HIGH_BITS = 32n;

class PlanePoint extends ComposedValue {
  readonly geometry: Geometry;
  /** Steps of y before those of x. */
  readonly indexed: bigint;

  constructor([x, y]: readonly [number, number]) {
    super();
    this.geometry = { kind: 'Point', at: [x, y] };
    const [high, low] = [BigInt(PLANE_GRID.stepsOfY(y)), BigInt(PLANE_GRID.stepsOfX(x) >>> 0)];
    this.indexed = BigInt.asIntN(64, (high << HIGH_BITS) | low);
  }
}

export const POINT: FieldType = {
  ...SHAPE,
  read: (field, value) => new PlanePoint(parsePlanePoint(value, field)),
  parts: ({ isIndexed }) => (isIndexed ? { ...NO_PARTS, numbers: 'long', boxes: 'points' } : NO_PARTS),
  range: ({ path }) => {
    throw illegalArgument(`Field [${path}] of type [point] does not support range queries`);
  },
  printer: (_field, format) => {
    const print = geometryPrinter(format);
    return (value: IndexedValue) => (value instanceof PlanePoint ? print(value.geometry) : null);
  },
};
