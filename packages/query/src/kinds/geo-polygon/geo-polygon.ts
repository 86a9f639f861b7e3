/**
 * `geo_polygon`: documents with a point within a polygon, or on its edge.
 */
import { illegalArgument, type JsonMember, type JsonNode, parsingException, tokenName, ValueReader } from '@shoal/core';
import type { GeoPoint } from '@shoal/geo';
import {
  type PointValidation,
  pointOf,
  readPoint,
  readValidation,
  STRICT,
  validationOf,
} from '../../members/geo-options.ts';
import { readBoolean, readNumber, readObject, readString, unsupported } from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

export interface GeoPolygonQuery extends QueryNode {
  readonly kind: 'geoPolygon';
  readonly field: string;
  /** Closed: the last is the first. Not yet checked to lie on the globe. At least 4. */
  readonly points: readonly GeoPoint[];
  readonly validation: PointValidation;
  /** A field that no mapping has matches nothing, instead of being an error. */
  readonly ignoreUnmapped: boolean;
}

const NAME = 'geo_polygon';
/** Corners of one polygon: each is looked at for each document. */
const CORNERS_MAX = 10_000;

function parseGeoPolygon(node: JsonNode): GeoPolygonQuery {
  const result: Mutable<GeoPolygonQuery> = {
    kind: 'geoPolygon',
    field: '',
    points: [],
    validation: STRICT,
    ignoreUnmapped: false,
    boost: 1,
    name: null,
  };
  for (const member of readObject(node, NAME).members) {
    if (member.value.kind === 'object') {
      result.field = member.name;
      for (const part of member.value.members) result.points = parsePoints(part);
    } else parseOption(result, member);
  }
  if (result.field === '') throw illegalArgument('fieldName must not be null');
  return { ...result, points: closed(result.points) };
}

function parsePoints({ name, value }: JsonMember): GeoPoint[] {
  if (value.kind === 'array') {
    if (name !== 'points') throw parsingException(`[${NAME}] query does not support [${name}]`, value.at);
    if (value.items.length > CORNERS_MAX) throw illegalArgument(`more than ${CORNERS_MAX} points in one polygon`);
    return value.items.map(readPoint);
  }
  if (name !== 'points') throw parsingException(`[${NAME}] query does not support [${name}]`, value.at);
  throw parsingException(`[${NAME}] query does not support token type [${tokenName(value)}] under [${name}]`, value.at);
}

function parseOption(result: Mutable<GeoPolygonQuery>, member: JsonMember): void {
  const { name, value } = member;
  if (value.kind === 'array') {
    throw parsingException(`[${NAME}] unexpected token type [${tokenName(value)}]`, value.at);
  }
  if (name === 'boost') result.boost = readNumber(value, name);
  else if (name === '_name') result.name = readString(value, name);
  else if (name === 'validation_method') result.validation = readValidation(value);
  else if (name === 'ignore_unmapped') result.ignoreUnmapped = readBoolean(value, name);
  else throw unsupported(NAME, member);
}

function closed(points: readonly GeoPoint[]): readonly GeoPoint[] {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) throw illegalArgument('no points defined for geo_polygon query');
  const isClosed = first.lat === last.lat && first.lon === last.lon;
  if (points.length < (isClosed ? 4 : 3)) throw illegalArgument('too few points defined for geo_polygon query');
  return isClosed ? points : [...points, first];
}

export const geoPolygon: QueryKind<GeoPolygonQuery> = {
  kind: 'geoPolygon',
  parse: parseGeoPolygon,
  read: (r) => {
    const points = r.list('points', (value, path) => pointOf(ValueReader.of(value, path)), CORNERS_MAX + 1);
    if (points.length < 4) r.refuse('points', 'at least 4 points');
    return {
      kind: 'geoPolygon',
      field: r.string('field'),
      points,
      validation: validationOf(r),
      ignoreUnmapped: r.boolean('ignoreUnmapped'),
      ...readBase(r),
    };
  },
  inner: noInner,
};
