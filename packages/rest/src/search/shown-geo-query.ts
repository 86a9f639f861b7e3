/**
 * Queries of points as Elasticsearch shows them: every form of a point as longitude and latitude, every distance in metres.
 */
import { DoubleNumber, writeJson } from '@shoal/core';
import { parseQueryBytes } from '@shoal/query';
import { type Json, lower, type MemberRow, shownMembers, TAIL, upper } from './shown-members.ts';

interface Point {
  readonly lat: number;
  readonly lon: number;
}

const KINDS = ['geo_bounding_box', 'geo_distance', 'geo_polygon'] as const;
type GeoKind = (typeof KINDS)[number];

const ROWS: readonly MemberRow[] = [['validation_method', 'STRICT', upper]];
const END: readonly MemberRow[] = [['ignore_unmapped', false], ...TAIL];

export function isGeoQuery(kind: string): kind is GeoKind {
  return KINDS.some((known) => known === kind);
}

/** @param body of a query that was accepted before */
export function shownGeoQuery(kind: GeoKind, body: Json): Json {
  const query = parseQueryBytes(writeJson({ [kind]: body }));
  const {
    distance_type: distanceType,
    type,
    validation_method: validation,
    ignore_unmapped: ignored,
    boost,
    _name,
  } = body;
  const given = {
    distance_type: distanceType,
    type,
    validation_method: validation,
    ignore_unmapped: ignored,
    boost,
    _name,
  };
  switch (query.kind) {
    case 'geoDistance':
      return {
        [query.field]: shownPoint(query.centre),
        distance: new DoubleNumber(query.metres),
        ...shownMembers(given, [['distance_type', 'arc', lower], ...ROWS, ...END]),
      };
    case 'geoBoundingBox': {
      const { north, west, south, east } = query.box;
      return {
        [query.field]: {
          top_left: shownPoint({ lat: north, lon: west }),
          bottom_right: shownPoint({ lat: south, lon: east }),
        },
        ...shownMembers(given, [...ROWS, ['type', 'MEMORY', upper], ...END]),
      };
    }
    case 'geoPolygon':
      return { [query.field]: { points: query.points.map(shownPoint) }, ...shownMembers(given, [...ROWS, ...END]) };
    default:
      return body;
  }
}

function shownPoint({ lat, lon }: Point): readonly DoubleNumber[] {
  return [new DoubleNumber(lon), new DoubleNumber(lat)];
}
