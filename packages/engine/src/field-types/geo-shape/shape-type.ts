/**
 * Types of shapes: kept as their parts, with boxes around them; found by how they lie to another shape, never by value.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import {
  checkHeights,
  DOCUMENT_REFUSALS,
  type Geometry,
  geoJsonOf,
  indexedParts,
  parseError,
  parseGeoJson,
  parseWellKnownText,
  type ShapeGrid,
  wellKnownTextOf,
  writeShapeWords,
} from '@shoal/geo';
import type { FieldMapping } from '@shoal/schema';
import { type FieldType, NO_PARTS } from '../contract/field-type.ts';
import type { IndexedValue } from '../contract/indexed-value.ts';
import { KEYWORD } from '../keyword/keyword.ts';
import { ShapeValue } from './shape-value.ts';

/** Type of shapes on a grid. */
export function shapeType(grid: ShapeGrid): FieldType {
  return {
    ...KEYWORD,
    read: (field, value) => {
      const geometry = readShape(field, value);
      const words: number[] = [];
      writeShapeWords(indexedParts(geometry, { grid, isLeft: field.hasClockwiseShells }), grid, words);
      return new ShapeValue(geometry, Int32Array.from(words));
    },
    check: () => {},
    parts: ({ isIndexed }) => (isIndexed ? { ...NO_PARTS, boxes: 'shapes' } : NO_PARTS),
    textQueries: 'none',
    term: ({ path }) => {
      throw notExact(path);
    },
    range: ({ path, kind }) => {
      throw illegalArgument(`Field [${path}] of type [${kind}] does not support range queries`);
    },
    numbers: null,
    hasColumn: false,
    sort: { column: 'none' },
    collapse: 'none',
    columnPrinter: ({ path, kind }) => {
      throw illegalArgument(`Field [${path}] of type [${kind}] does not support [docvalue_fields]`);
    },
    takesGeometryFormat: true,
    printer: (_field, format) => {
      const print = geometryPrinter(format);
      return (value: IndexedValue) => (value instanceof ShapeValue ? print(value.geometry) : null);
    },
  };
}

function readShape({ coerce, ignoresZ }: FieldMapping, value: unknown): Geometry {
  const reading = { turnsRings: false, closesRings: coerce, ignoresZ, refusals: DOCUMENT_REFUSALS };
  let geometry: Geometry;
  if (typeof value === 'string') geometry = parseWellKnownText(value, reading);
  else if (typeof value === 'object' && value !== null) geometry = parseGeoJson(value, reading);
  else throw parseError('shape must be an object consisting of type and coordinates');
  checkHeights(geometry, reading);
  return geometry;
}

/** Printer of geometries in a form of a request. @throws ShoalError for an unknown form */
export function geometryPrinter(format: string | null): (geometry: Geometry) => unknown {
  if (format === null || format === 'geojson') return geoJsonOf;
  if (format === 'wkt') return wellKnownTextOf;
  throw illegalArgument(`Unrecognized geometry format [${format}].`);
}

function notExact(path: string): ShoalError {
  return new ShoalError(
    'query_shard_exception',
    400,
    `Geometry fields do not support exact searching, use dedicated geometry queries instead: [${path}]`,
  );
}
