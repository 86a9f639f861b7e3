/**
 * Distances on the globe, in metres: along a great circle of the mean sphere, or in the plane of latitude and longitude.
 */
import type { GeoBox } from './geo-box.ts';
import type { GeoPoint } from './geo-point.ts';

const RADIANS = Math.PI / 180;
/** Mean radius of WGS 84, in metres. */
const MEAN_RADIUS = 6_371_008.7714;
/** Metres of a degree of a meridian. */
const DEGREE = MEAN_RADIUS * RADIANS;

/** How far apart two points are. */
export type DistanceBetween = (lat1: number, lon1: number, lat2: number, lon2: number) => number;

/** By cosines, as Lucene computes it: near an origin it is as coarse as cosines are there, some centimetres. */
export const arcDistance: DistanceBetween = (lat1, lon1, lat2, lon2) => {
  const from = lat1 * RADIANS;
  const to = lat2 * RADIANS;
  const north = 1 - Math.cos(from - to);
  const east = 1 - Math.cos((lon1 - lon2) * RADIANS);
  const twice = north + Math.cos(from) * Math.cos(to) * east;
  return 2 * MEAN_RADIUS * Math.asin(Math.min(1, Math.sqrt(twice * 0.5)));
};

export const planeDistance: DistanceBetween = (lat1, lon1, lat2, lon2) => {
  const east = (lon2 - lon1) * Math.cos(((lat1 + lat2) / 2) * RADIANS);
  const north = lat2 - lat1;
  return Math.sqrt(east * east + north * north) * DEGREE;
};

/** Metres more than any error of the computation of a box. */
const SLACK = 1;

/** Box around all points that are within a distance, a little larger; over the date line `west` is greater than `east`. */
export function boxAround({ lat, lon }: GeoPoint, metres: number): GeoBox {
  const angle = (metres + SLACK) / MEAN_RADIUS;
  const south = lat - angle / RADIANS;
  const north = lat + angle / RADIANS;
  const isPolar = south <= -90 || north >= 90;
  const span = isPolar
    ? 180
    : Math.asin(Math.min(1, Math.sin(Math.min(angle, Math.PI / 2)) / Math.cos(lat * RADIANS))) / RADIANS;
  const isWhole = span >= 179.999;
  const west = isWhole ? -180 : lon - span;
  const east = isWhole ? 180 : lon + span;
  return {
    south: Math.max(south, -90),
    north: Math.min(north, 90),
    west: west < -180 ? west + 360 : west,
    east: east > 180 ? east - 360 : east,
  };
}
