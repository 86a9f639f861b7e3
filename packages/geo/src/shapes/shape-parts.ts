/**
 * The parts of a geometry, checked: what a document's field keeps of it, and what a query compares with.
 */
import { illegalArgument, javaDoubleText, ShoalError, unreachable } from '@shoal/core';
import { normalizedPoint } from '../geo-point.ts';
import { areaPieces, invalidShape } from './area-pieces.ts';
import { EdgeList } from './edge-list.ts';
import type { Envelope, Geometry, Position, Rings } from './geometry.ts';
import { linePieces } from './line-pieces.ts';
import type { ShapeGrid } from './shape-grid.ts';
import { type Chain, chainOf, type ShapePart } from './shape-part.ts';

const DATE_LINE = 180;
const POLE = 90;

export interface PartsReading {
  readonly grid: ShapeGrid;
  /** Shells of areas are written clockwise; without meaning in a plane. */
  readonly isLeft: boolean;
}

/** Parts that a document's field keeps. @throws ShoalError for a geometry that cannot be indexed */
export function indexedParts(geometry: Geometry, reading: PartsReading): readonly ShapePart[] {
  return partsOf(geometry, { ...reading, isIndexed: true });
}

/** Parts that a query compares with. @throws ShoalError for a geometry that cannot be searched for */
export function queriedParts(geometry: Geometry, grid: ShapeGrid): readonly ShapePart[] {
  return partsOf(geometry, { grid, isLeft: false, isIndexed: false });
}

interface Reading extends PartsReading {
  readonly isIndexed: boolean;
}

function partsOf(geometry: Geometry, reading: Reading): readonly ShapePart[] {
  switch (geometry.kind) {
    case 'Point':
      return geometry.at === null ? [] : [pointPart(geometry.at, reading)];
    case 'MultiPoint':
      return geometry.points.map((each) => pointPart(each, reading));
    case 'LineString':
      return lineParts(geometry.points, reading);
    case 'MultiLineString':
      return geometry.lines.flatMap((line) => lineParts(line, reading));
    case 'Polygon':
      return areaParts(geometry.rings, reading);
    case 'MultiPolygon':
      return geometry.polygons.flatMap((rings) => areaParts(rings, reading));
    case 'GeometryCollection':
      return geometry.geometries.flatMap((inner) => partsOf(inner, reading));
    case 'Envelope':
      return boxParts(geometry, reading);
    case 'Circle': {
      if (reading.isIndexed) {
        throw new ShoalError('unsupported_operation_exception', 400, 'circle geometry is not supported');
      }
      const { centre, radius } = geometry;
      checkPosition(centre, reading);
      return [{ kind: 'circle', x: centre[0], y: centre[1], radius }];
    }
    default:
      return unreachable(geometry);
  }
}

function pointPart(position: Position, reading: Reading): ShapePart {
  const [x, y] = position;
  const isOutside = Math.abs(x) > DATE_LINE || Math.abs(y) > POLE;
  if (isOutside && reading.isIndexed && reading.grid.kind === 'globe') {
    const { lat, lon } = normalizedPoint({ lat: y, lon: x });
    return { kind: 'point', x: lon, y: lat };
  }
  checkPosition(position, reading);
  return { kind: 'point', x, y };
}

function lineParts(points: readonly Position[], reading: Reading): readonly ShapePart[] {
  if (points.length === 0) return [];
  if (reading.grid.kind === 'globe') return linePieces(points).map((chain) => ({ kind: 'line', chain }));
  for (const point of points) checkPosition(point, reading);
  return [{ kind: 'line', chain: planeChain(points) }];
}

function areaParts(rings: Rings, reading: Reading): readonly ShapePart[] {
  const { grid, isIndexed } = reading;
  if (grid.kind === 'plane') for (const ring of rings) for (const point of ring) checkPosition(point, reading);
  const pieces =
    grid.kind === 'globe' ? areaPieces(rings, reading.isLeft) : rings.length === 0 ? [] : [rings.map(planeChain)];
  for (const piece of pieces) {
    checkHoles(piece);
    if (isIndexed) checkCrossings(piece, grid);
  }
  return pieces.map((piece) => ({ kind: 'area', rings: piece }));
}

function planeChain(points: readonly Position[]): Chain {
  return chainOf(points).map(Math.fround);
}

/** A hole must at least lie above or below an edge of its shell. */
function checkHoles([shell, ...holes]: readonly Chain[]): void {
  if (shell === undefined || holes.length === 0) return;
  const { minX, maxX } = new EdgeList([shell]).extent;
  for (const [x] of holes) {
    if (x !== undefined && (x < minX || x > maxX)) throw invalidShape('Invalid shape: Hole is not within polygon');
  }
}

function checkCrossings(rings: readonly Chain[], grid: ShapeGrid): void {
  const onGrid = rings.map((ring) =>
    ring.map((each, i) => (i % 2 === 0 ? grid.xOf(grid.stepsOfX(each)) : grid.yOf(grid.stepsOfY(each)))),
  );
  const [shell, ...holes] = onGrid as [Chain, ...Chain[]];
  const outside = holes.some((hole) => !new EdgeList([shell]).encloses(hole[0] as number, hole[1] as number));
  if (!outside && !new EdgeList(onGrid).crossesItself) return;
  throw illegalArgument('Unable to Tessellate shape. Possible malformed shape detected.');
}

function boxParts({ west, east, south, north }: Envelope, reading: Reading): readonly ShapePart[] {
  for (const corner of [[west, south] as const, [east, north] as const]) checkPosition(corner, reading);
  if (reading.grid.kind === 'plane') {
    if (west > east)
      throw illegalArgument(`minX must be lower than maxX, got ${javaDoubleText(west)} > ${javaDoubleText(east)}`);
    return [boxPart(west, east, south, north, reading)];
  }
  if (west <= east) return [boxPart(west, east, south, north, reading)];
  const eastern = boxPart(-DATE_LINE, east, south, north, reading);
  return west === DATE_LINE && !reading.isIndexed
    ? [eastern]
    : [boxPart(west, DATE_LINE, south, north, reading), eastern];
}

function boxPart(west: number, east: number, south: number, north: number, { isIndexed }: Reading): ShapePart {
  if (!isIndexed) return { kind: 'box', west, east, south, north };
  if (west === east || south === north) throw illegalArgument('at least three non-collinear points required');
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ] as const;
  return { kind: 'area', rings: [chainOf(corners)] };
}

function checkPosition([x, y]: Position, { grid }: Reading): void {
  if (grid.kind === 'plane') {
    for (const each of [x, y]) {
      if (Number.isFinite(Math.fround(each))) continue;
      throw illegalArgument(
        `invalid value ${javaDoubleText(each)}; must be between -3.4028234663852886E38 and 3.4028234663852886E38`,
      );
    }
    return;
  }
  if (!(Math.abs(y) <= POLE)) throw outOfRange('latitude', y, POLE);
  if (!(Math.abs(x) <= DATE_LINE)) throw outOfRange('longitude', x, DATE_LINE);
}

function outOfRange(what: string, value: number, most: number): ShoalError {
  return illegalArgument(`invalid ${what} ${javaDoubleText(value)}; must be between -${most}.0 and ${most}.0`);
}
