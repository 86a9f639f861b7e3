/**
 * The search of one lookup: documents of an enrich index whose match field fits a value.
 */

import { jsonText } from '@shoal/agent-event';
import { DoubleNumber, illegalArgument, RawJson, writeJson } from '@shoal/core';
import type { DocumentValue, EnrichLookup } from '@shoal/ingest';
import type { EnrichIndex } from './enrich-index.ts';

type Json = Readonly<Record<string, unknown>>;

/** Latitude and longitude in a text. */
const LAT_LON = /^\s*([+-]?\d+(?:\.\d+)?)\s*,\s*([+-]?\d+(?:\.\d+)?)\s*$/;

/** Body of the search. @throws illegal_argument_exception for a value that no field can have */
export function enrichSearchBody({ type, matchField }: EnrichIndex, lookup: EnrichLookup): Uint8Array {
  const query = type === 'geo_match' ? shapeQuery(matchField, lookup) : termQuery(matchField, lookup.value);
  return writeJson({ size: lookup.matchesMax, track_total_hits: false, query: { constant_score: { filter: query } } });
}

function termQuery(field: string, value: DocumentValue): Json {
  if (value instanceof Map) throw illegalArgument(`an object cannot be compared with the field [${field}]`);
  return Array.isArray(value) ? { terms: { [field]: exact(value) } } : { term: { [field]: { value: exact(value) } } };
}

function shapeQuery(field: string, { value, relation }: EnrichLookup): Json {
  return { geo_shape: { [field]: { shape: shapeOf(value), relation } } };
}

/** A point in one of the forms that documents have them in, several points, or a shape. */
function shapeOf(value: DocumentValue): unknown {
  const point = positionOf(value);
  if (point !== null) return { type: 'point', coordinates: point };
  if (Array.isArray(value)) {
    const points = value.map(positionOf);
    if (points.every((each) => each !== null)) return { type: 'multipoint', coordinates: points };
  }
  return exact(value);
}

/** Longitude and latitude; null for what is no point. */
function positionOf(value: DocumentValue): readonly unknown[] | null {
  if (typeof value === 'string') {
    const [, lat, lon] = LAT_LON.exec(value) ?? [];
    return lat === undefined || lon === undefined ? null : [Number(lon), Number(lat)];
  }
  if (value instanceof Map) {
    const lat = value.get('lat') ?? null;
    const lon = value.get('lon') ?? null;
    return lat === null || lon === null ? null : [exact(lon), exact(lat)];
  }
  const isPosition = Array.isArray(value) && value.length >= 2 && value.every(isNumber);
  return isPosition ? value.map(exact) : null;
}

function isNumber(value: DocumentValue): boolean {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof DoubleNumber;
}

/** Numbers go into the request as they stand in the document. */
function exact(value: DocumentValue): RawJson {
  return new RawJson(Buffer.from(jsonText(value), 'utf8'));
}
