/**
 * A column of points: each value is a latitude and a longitude, in steps of the globe.
 */
import { type GeoPoint, latitudeOf, longitudeOf } from '@shoal/geo';
import type { NumericColumn, SegmentView } from '../../format/reader/segment-reader.ts';
import type { WideValues } from '../../format/reader/wide-values.ts';

const HIGH = 2 ** 32;

export class PointColumn {
  private readonly column: NumericColumn;
  private readonly wide: WideValues | null;

  constructor(column: NumericColumn) {
    this.column = column;
    this.wide = column.wide;
  }

  static of({ segment }: SegmentView, field: string): PointColumn | null {
    const column = segment.numericColumn(field);
    return column && new PointColumn(column);
  }

  /** Points of a document stand at start(doc) .. start(doc + 1) - 1. */
  start(doc: number): number {
    return this.column.start(doc);
  }

  latitudeSteps(index: number): number {
    return this.wide === null ? Math.floor(this.column.value(index) / HIGH) : this.wide.high(index);
  }

  longitudeSteps(index: number): number {
    if (this.wide !== null) return this.wide.low(index);
    const value = this.column.value(index);
    return (value - Math.floor(value / HIGH) * HIGH) | 0;
  }

  /** Degrees. */
  latitude(index: number): number {
    return latitudeOf(this.latitudeSteps(index));
  }

  longitude(index: number): number {
    return longitudeOf(this.longitudeSteps(index));
  }

  point(index: number): GeoPoint {
    return { lat: this.latitude(index), lon: this.longitude(index) };
  }
}
