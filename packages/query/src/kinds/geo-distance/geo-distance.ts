/**
 * `geo_distance`: documents with a point near another.
 */
import { illegalArgument, type JsonMember, type JsonNode, parsingException } from '@shoal/core';
import { type GeoPoint, geohashBox, metresOfUnit, parseDistance } from '@shoal/geo';
import {
  type PointValidation,
  pointOf,
  readDistanceType,
  readPoint,
  readValidation,
  STRICT,
  validationOf,
} from '../../members/geo-options.ts';
import { readBoolean, readNumber, readObject, readString } from '../../members/request-values.ts';
import { withoutEffect } from '../../members/without-effect.ts';
import type { Mutable } from '../../node/mutable.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

export interface GeoDistanceQuery extends QueryNode {
  readonly kind: 'geoDistance';
  readonly field: string;
  /** Not yet checked to lie on the globe. */
  readonly centre: GeoPoint;
  /** > 0 */
  readonly metres: number;
  readonly validation: PointValidation;
  /** A field that no mapping has matches nothing, instead of being an error. */
  readonly ignoreUnmapped: boolean;
}

const NAME = 'geo_distance';

/** What the members say, in whatever order they come. */
interface Given extends Mutable<Omit<GeoDistanceQuery, 'metres' | 'centre'>> {
  centre: Mutable<GeoPoint>;
  distance: string | null;
  unit: string;
}

function parseGeoDistance(node: JsonNode): GeoDistanceQuery {
  const given: Given = {
    kind: 'geoDistance',
    field: '',
    centre: { lat: Number.NaN, lon: Number.NaN },
    distance: null,
    unit: 'm',
    validation: STRICT,
    ignoreUnmapped: false,
    boost: 1,
    name: null,
  };
  for (const member of readObject(node, NAME).members) parseMember(given, member);
  const { distance, unit, ...rest } = given;
  if (distance === null) throw parsingException("geo_distance requires 'distance' to be specified", node.at);
  metresOfUnit(unit);
  const metres = parseDistance(distance, unit);
  if (rest.field === '') throw illegalArgument('fieldName must not be null or empty');
  if (!(metres > 0)) throw illegalArgument('distance must be greater than zero');
  for (const [side, value] of Object.entries(rest.centre)) {
    if (!Number.isFinite(value)) throw illegalArgument(`center point ${side} is missing or no number`);
  }
  return { ...rest, metres };
}

function parseMember(given: Given, member: JsonMember): void {
  const { name, value } = member;
  if (name === 'distance') given.distance = readString(value, name);
  else if (name === 'unit') given.unit = readString(value, name);
  else if (name === 'distance_type') {
    withoutEffect('distance_type');
    readDistanceType(value);
  } else if (name === 'boost') given.boost = readNumber(value, name);
  else if (name === '_name') given.name = readString(value, name);
  else if (name === 'validation_method') given.validation = readValidation(value);
  else if (name === 'ignore_unmapped') given.ignoreUnmapped = readBoolean(value, name);
  else parseCentre(given, member);
}

function parseCentre(given: Given, { name, value }: JsonMember): void {
  const part = /^(.+)\.(lat|lon|geohash)$/s.exec(name);
  const field = part?.[1] ?? name;
  if (given.field !== '' && given.field !== field) {
    throw parsingException(`failed to parse [${NAME}] query. unexpected field [${name}]`, value.at);
  }
  given.field = field;
  if (part === null) given.centre = { ...readPoint(value) };
  else if (part[2] === 'lat') given.centre.lat = readNumber(value, name);
  else if (part[2] === 'lon') given.centre.lon = readNumber(value, name);
  else {
    const { south, west } = geohashBox(readString(value, name));
    given.centre = { lat: south, lon: west };
  }
}

export const geoDistance: QueryKind<GeoDistanceQuery> = {
  kind: 'geoDistance',
  parse: parseGeoDistance,
  read: (r) => {
    const metres = r.number('metres');
    if (!(metres > 0)) r.refuse('metres', 'a number above 0');
    return {
      kind: 'geoDistance',
      field: r.string('field'),
      centre: pointOf(r.object('centre')),
      metres,
      validation: validationOf(r),
      ignoreUnmapped: r.boolean('ignoreUnmapped'),
      ...readBase(r),
    };
  },
  inner: noInner,
};
