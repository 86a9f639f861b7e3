export { BOX_NUMBERS, BoxTree, levelsOf, type RelateBox, type TakeDocs } from './box-tree/box-tree.ts';
export { type BoxEntries, type BuiltBoxTree, buildBoxTree } from './box-tree/build-box-tree.ts';
export { geohashCellBox, geotileCellBox } from './cell-boxes.ts';
export { arcDistance, boxAround, type DistanceBetween, planeDistance } from './distance.ts';
export { metresOfUnit, parseDistance } from './distance-unit.ts';
export type { GeoBox } from './geo-box.ts';
export {
  type CellGrid,
  cellName,
  cellNumbers,
  cellOfPoint,
  cellRank,
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
export type { BoxRelation } from './shapes/compared-part.ts';
export { ComparedShape, type ShapeRelation } from './shapes/compared-shape.ts';
export { checkHeights, type Geometry, type GeometryReading } from './shapes/geometry.ts';
export { DOCUMENT_REFUSALS, REQUEST_REFUSALS } from './shapes/geometry-refusals.ts';
export { parseGeoJson } from './shapes/parse-geo-json.ts';
export { parsePlanePoint } from './shapes/parse-plane-point.ts';
export { parseWellKnownText } from './shapes/parse-well-known-text.ts';
export { geoJsonOf, wellKnownTextOf } from './shapes/print-geometry.ts';
export { GLOBE_GRID, PLANE_GRID, type ShapeGrid } from './shapes/shape-grid.ts';
export type { Extent, ShapePart } from './shapes/shape-part.ts';
export { indexedParts, queriedParts } from './shapes/shape-parts.ts';
export { ShapeWords, writeShapeWords } from './shapes/shape-words.ts';
