/**
 * `_geo_distance` of a sort: hits by how far a point of theirs is from given ones.
 */
import {
  illegalArgument,
  type JsonMember,
  type JsonNode,
  jsonNodeValue,
  parsingException,
  ValueReader,
} from '@shoal/core';
import { type GeoPoint, geohashBox, metresOfUnit, parsePoint } from '@shoal/geo';
import {
  type DistanceType,
  type PointValidation,
  pointOf,
  readDistanceType,
  readPoint,
  readValidation,
  STRICT,
  validationOf,
} from '../members/geo-options.ts';
import { readBoolean, readString } from '../members/request-values.ts';
import type { Mutable } from '../node/mutable.ts';

export interface GeoSort {
  /** At least 1; not yet checked to lie on the globe. */
  readonly points: readonly GeoPoint[];
  readonly distanceType: DistanceType;
  /** Metres of the unit in which distances are shown. */
  readonly unit: number;
  readonly validation: PointValidation;
  /** A field that no mapping has is at no distance from anything, instead of being an error. */
  readonly ignoreUnmapped: boolean;
}

export interface GeoSortMember {
  readonly field: string;
  readonly geo: GeoSort;
}

/** Points of one sort: each is measured for each document. */
const POINTS_MAX = 1_000;

/** Takes the members one by one, in whatever order they come. */
export class GeoSortParser {
  private field = '';
  private points: GeoPoint[] = [];
  private readonly geo: Mutable<GeoSort> = {
    points: [],
    distanceType: 'arc',
    unit: 1,
    validation: STRICT,
    ignoreUnmapped: false,
  };

  read(member: JsonMember): void {
    const { name, value } = member;
    const { geo } = this;
    if (name === 'unit') geo.unit = metresOfUnit(readString(value, name));
    else if (name === 'distance_type') geo.distanceType = readDistanceType(value);
    else if (name === 'validation_method') geo.validation = readValidation(value);
    else if (name === 'ignore_unmapped') geo.ignoreUnmapped = readBoolean(value, name);
    else if (value.kind === 'array') this.setPoints(name, pointsOf(value.items));
    else if (value.kind === 'object') this.setPoints(name, [readPoint(value)]);
    else if (value.kind === 'string') this.setText(name, value);
    else if (value.kind !== 'null') throw parsingException(`[_geo_distance] does not support [${name}]`, value.at);
  }

  finish(): GeoSortMember {
    if (this.points.length === 0) throw illegalArgument('Geo distance sorting needs at least one point.');
    return { field: this.field, geo: { ...this.geo, points: this.points } };
  }

  /** Once the field is known, any other text is taken for a second one, whatever it says. */
  private setText(name: string, value: Extract<JsonNode, { kind: 'string' }>): void {
    if (this.field !== '' && this.field !== name) throw resetField(name, this.field);
    this.setPoints(name, [pointOfText(value)]);
  }

  private setPoints(field: string, points: readonly GeoPoint[]): void {
    if (this.field !== '' && this.field !== field) throw resetField(field, this.field);
    if (this.points.length + points.length > POINTS_MAX) {
      throw illegalArgument(`[_geo_distance] takes at most ${POINTS_MAX} points`);
    }
    this.field = field;
    this.points.push(...points);
  }
}

function resetField(name: string, field: string): Error {
  return illegalArgument(`Trying to reset fieldName to [${name}], already set to [${field}].`);
}

/** One point as a list of numbers, or a list of points. */
function pointsOf(items: readonly JsonNode[]): readonly GeoPoint[] {
  const [first] = items;
  if (first?.kind !== 'number') return items.map(readPoint);
  return [parsePoint(items.map(jsonNodeValue), { ignoresZ: true })];
}

function pointOfText(node: Extract<JsonNode, { kind: 'string' }>): GeoPoint {
  if (node.value.includes(',') || node.value.includes('(')) return readPoint(node);
  const { south, west } = geohashBox(node.value);
  return { lat: south, lon: west };
}

export function readGeoSort(value: unknown, path: string): GeoSort {
  const r = ValueReader.of(value, path);
  const points = r.list('points', (point, at) => pointOf(ValueReader.of(point, at)), POINTS_MAX);
  if (points.length === 0) r.refuse('points', 'at least one point');
  const unit = r.number('unit');
  if (!(unit > 0)) r.refuse('unit', 'a number above 0');
  return {
    points,
    distanceType: r.oneOf('distanceType', ['arc', 'plane'] as const),
    unit,
    validation: validationOf(r),
    ignoreUnmapped: r.boolean('ignoreUnmapped'),
  };
}
