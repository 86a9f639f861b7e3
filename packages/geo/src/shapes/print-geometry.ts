/**
 * Geometries as answers print them: GeoJSON and well-known text.
 */
import { DoubleNumber, javaDoubleText } from '@shoal/core';
import type { Geometry, Position, Rings } from './geometry.ts';

/** GeoJSON, its coordinates in the form of floating point. */
export function geoJsonOf(geometry: Geometry): object {
  switch (geometry.kind) {
    case 'Point':
      return { coordinates: geometry.at === null ? [] : numbers(geometry.at), type: 'Point' };
    case 'MultiPoint':
    case 'LineString':
      return { coordinates: geometry.points.map(numbers), type: geometry.kind };
    case 'MultiLineString':
      return { coordinates: geometry.lines.map((line) => line.map(numbers)), type: geometry.kind };
    case 'Polygon':
      return { coordinates: ringNumbers(geometry.rings), type: geometry.kind };
    case 'MultiPolygon':
      return { coordinates: geometry.polygons.map(ringNumbers), type: geometry.kind };
    case 'GeometryCollection':
      return { geometries: geometry.geometries.map(geoJsonOf), type: geometry.kind };
    case 'Circle':
      return {
        coordinates: numbers(geometry.centre),
        radius: `${javaDoubleText(geometry.radius)}m`,
        type: geometry.kind,
      };
    case 'Envelope': {
      const { west, east, north, south } = geometry;
      return { coordinates: [numbers([west, north]), numbers([east, south])], type: geometry.kind };
    }
  }
}

/** Well-known text, with the decimal point of every number. */
export function wellKnownTextOf(geometry: Geometry): string {
  switch (geometry.kind) {
    case 'Point':
      return geometry.at === null ? 'POINT EMPTY' : `POINT (${coordinates(geometry.at)})`;
    case 'MultiPoint':
      return `MULTIPOINT ${line(geometry.points)}`;
    case 'LineString':
      return `LINESTRING ${line(geometry.points)}`;
    case 'MultiLineString':
      return `MULTILINESTRING ${list(geometry.lines.map(line), ',')}`;
    case 'Polygon':
      return `POLYGON ${rings(geometry.rings)}`;
    case 'MultiPolygon':
      return `MULTIPOLYGON ${list(geometry.polygons.map(rings), ',')}`;
    case 'GeometryCollection':
      return `GEOMETRYCOLLECTION ${list(geometry.geometries.map(wellKnownTextOf), ',')}`;
    case 'Circle': {
      const [x, y, z] = geometry.centre;
      const height = z === undefined ? '' : ` ${javaDoubleText(z)}`;
      return `CIRCLE (${coordinates([x, y])} ${javaDoubleText(geometry.radius)}${height})`;
    }
    case 'Envelope': {
      const { west, east, north, south } = geometry;
      return `BBOX ${list([west, east, north, south].map(javaDoubleText), ', ')}`;
    }
  }
}

function numbers(position: Position): readonly DoubleNumber[] {
  return position.map((each) => new DoubleNumber(each as number));
}

function ringNumbers(list: Rings): readonly object[] {
  return list.map((ring) => ring.map(numbers));
}

function rings(parts: Rings): string {
  return list(parts.map(line), ', ');
}

function line(points: readonly Position[]): string {
  return list(points.map(coordinates), ', ');
}

function list(parts: readonly string[], separator: string): string {
  return parts.length === 0 ? 'EMPTY' : `(${parts.join(separator)})`;
}

function coordinates(position: Position): string {
  return position.map((each) => javaDoubleText(each as number)).join(' ');
}
