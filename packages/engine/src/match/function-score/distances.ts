/**
 * How far the values of a field are from an origin: numbers, dates and places alike.
 */
import { assert } from '@shoal/core';
import { arcDistance, type GeoPoint } from '@shoal/geo';
import { inFractionalMillis } from '../../format/columns/derived-columns.ts';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { PointColumn } from '../geo/point-column.ts';

/** Values of a document stand at start(doc) .. start(doc + 1) - 1. */
export interface Distances {
  start(doc: number): number;
  /** >= 0 */
  at(index: number): number;
  /** The value itself, for explanations: one number, or latitude and longitude. */
  value(index: number): readonly number[];
}

/** null where no document of the segment has a value. */
export type DistancesOf = (view: SegmentView) => Distances | null;

/** @param isInNanos the column holds nanoseconds; `origin` is in milliseconds */
export function numberDistances(field: string, isInNanos: boolean, origin: number): DistancesOf {
  return ({ segment }) => {
    const stored = segment.numericColumn(field);
    const column = isInNanos ? inFractionalMillis(stored) : stored;
    return (
      column && {
        start: (doc) => column.start(doc),
        at: (index) => Math.abs(column.value(index) - origin),
        value: (index) => [column.value(index)],
      }
    );
  };
}

/** In metres. */
export function pointDistances(field: string, { lat, lon }: GeoPoint): DistancesOf {
  return (view) => {
    const column = PointColumn.of(view, field);
    return (
      column && {
        start: (doc) => column.start(doc),
        at: (index) => arcDistance(lat, lon, column.latitude(index), column.longitude(index)),
        value: (index) => [column.latitude(index), column.longitude(index)],
      }
    );
  };
}

/** The place of the document's nearest value; it has one. */
export function nearestValue(distances: Distances, doc: number): number {
  const end = distances.start(doc + 1);
  let best = distances.start(doc);
  assert(best < end, `the nearest of no values of document ${doc}`);
  // A distance between places is dear: one value needs none to be the nearest.
  if (end - best < 2) return best;
  let least = distances.at(best);
  for (let index = best + 1; index < end; index++) {
    const distance = distances.at(index);
    if (distance >= least) continue;
    best = index;
    least = distance;
  }
  return best;
}
