/**
 * `geo_distance`: documents with a point near another.
 */
import { illegalArgument, type JsonMember, type JsonNode, type JsonObjectNode, parsingException } from '@shoal/core';
import { type GeoPoint, geohashBox, metresOfUnit, parseDistance } from '@shoal/geo';
import {
  type PointValidation,
  pointOf,
  readDistanceType,
  readPoint,
  readPointText,
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

/** By the token behind the name, as Elasticsearch reads them: a list is a point under any name, and null is nothing said. */
function parseMember(given: Given, member: JsonMember): void {
  const { name, value } = member;
  if (value.kind === 'null') return;
  if (value.kind === 'object') parsePlace(given, member, value);
  else if (value.kind === 'array') {
    given.field = name;
    given.centre = { ...readPoint(value) };
  } else parseScalar(given, member);
}

/** `{"lat": …, "lon": …}`. */
function parsePlace(given: Given, { name }: JsonMember, place: JsonObjectNode): void {
  if (given.field !== '') {
    const both = `[${given.field}] and [${name}]`;
    throw parsingException(`[${NAME}] query doesn't support multiple fields, found ${both}`, place.at);
  }
  given.field = name;
  for (const { name: part, value } of place.members) {
    if (isPart(part)) readPart(given, part, value);
    else throw parsingException(`[${NAME}] query does not support [${part}]`, value.at);
  }
}

function parseScalar(given: Given, { name, value }: JsonMember): void {
  if (name === 'distance') given.distance = readString(value, name);
  else if (name === 'unit') given.unit = readString(value, name);
  else if (name === 'distance_type') {
    withoutEffect('distance_type');
    readDistanceType(value);
  } else if (name === 'boost') given.boost = readNumber(value, name);
  else if (name === '_name') given.name = readString(value, name);
  else if (name === 'validation_method') given.validation = readValidation(value);
  else if (name === 'ignore_unmapped') given.ignoreUnmapped = readBoolean(value, name);
  else parseCentre(given, name, value);
}

function parseCentre(given: Given, name: string, value: JsonNode): void {
  const [, field, part] = /^(.+)\.(lat|lon|geohash)$/s.exec(name) ?? [];
  if (field !== undefined && part !== undefined && isPart(part)) {
    given.field = field;
    readPart(given, part, value);
    return;
  }
  if (given.field !== '') {
    throw parsingException(`failed to parse [${NAME}] query. unexpected field [${name}]`, value.at);
  }
  given.field = name;
  given.centre = { ...readPointText(readString(value, name)) };
}

type Part = 'lat' | 'lon' | 'geohash';
const isPart = (name: string): name is Part => name === 'lat' || name === 'lon' || name === 'geohash';

function readPart(given: Given, part: Part, value: JsonNode): void {
  if (part === 'geohash') {
    const { south, west } = geohashBox(readString(value, part));
    given.centre = { lat: south, lon: west };
  } else given.centre[part] = readNumber(value, part);
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
