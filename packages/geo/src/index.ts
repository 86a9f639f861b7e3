export { arcDistance, boxAround, type DistanceBetween, planeDistance } from './distance.ts';
export { metresOfUnit, parseDistance } from './distance-unit.ts';
export type { GeoBox } from './geo-box.ts';
export {
  type CellGrid,
  cellName,
  cellNumber,
  cellOfPoint,
  geohashLettersOf,
  hasWideCells,
  tileOfName,
  wideCellNumber,
  ZOOM_MAX,
} from './geo-cells.ts';
export {
  type GeoPoint,
  latitudeOf,
  latitudeSteps,
  latitudeStepsUp,
  longitudeOf,
  longitudeSteps,
  longitudeStepsUp,
  normalizedPoint,
  packPoint,
  unpackPoint,
} from './geo-point.ts';
export { GEOHASH_LETTERS_MAX, geohashBox, geohashOf, neighbourCells } from './geohash.ts';
export { type PointParsing, parseError, parsePoint } from './parse-point.ts';
