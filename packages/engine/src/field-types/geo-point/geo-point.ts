/**
 * `geo_point`: points as whole numbers of 64 bits in a column; found by shapes and distances, never by value.
 */
import { DoubleNumber, illegalArgument, javaDoubleText, ShoalError } from '@shoal/core';
import { type GeoPoint, normalizedPoint, packPoint, parsePoint, unpackPoint } from '@shoal/geo';
import type { FieldMapping } from '@shoal/schema';
import { checkNoFormat, type FieldType, NO_PARTS } from '../contract/field-type.ts';
import { ComposedValue, type IndexedValue } from '../contract/indexed-value.ts';
import { LONG_RANGE } from '../number/number-ranges.ts';
import { wholeNumberType } from '../number/number-type.ts';

/** A point of a document, not yet rounded to the steps of the column. */
class PointValue extends ComposedValue implements GeoPoint {
  readonly lat: number;
  readonly lon: number;

  constructor({ lat, lon }: GeoPoint) {
    super();
    this.lat = lat;
    this.lon = lon;
  }

  get indexed(): bigint {
    return packPoint(this);
  }
}

const LONG = wholeNumberType(LONG_RANGE);

export const GEO_POINT: FieldType = {
  ...LONG,
  read: (field, value) => new PointValue(checked(field, parsePoint(value, field))),
  check: () => {},
  parts: () => ({ ...NO_PARTS, numbers: 'long', boxes: 'points' }),
  textQueries: 'none',
  term: ({ path }) => {
    throw new ShoalError(
      'query_shard_exception',
      400,
      `Geometry fields do not support exact searching, use dedicated geometry queries instead: [${path}]`,
    );
  },
  range: ({ path }) => {
    throw illegalArgument(`Field [${path}] of type [geo_point] does not support range queries`);
  },
  numbers: null,
  sort: {
    column: 'none',
    refusal: "can't sort on geo_point field without using specific sorting feature, like geo_distance",
  },
  collapse: 'none',
  aggregation: { ...LONG.aggregation, isCountedOnly: true },
  columnPrinter: (field, format) => {
    checkNoFormat(field, format);
    return { column: 'numbers', print: (value) => latLon(unpackPoint(value)), sortsTexts: true };
  },
  takesGeometryFormat: true,
  printer: (_field, format) => {
    if (format !== null && format !== 'geojson' && format !== 'wkt') {
      throw illegalArgument(`Unrecognized geometry format [${format}].`);
    }
    const print = format === 'wkt' ? wellKnownText : geoJson;
    return (value: IndexedValue) => (value instanceof PointValue ? print(value) : null);
  },
};

function checked({ path, ignoreMalformed }: FieldMapping, point: GeoPoint): GeoPoint {
  if (ignoreMalformed) return normalizedPoint(point);
  if (!(Math.abs(point.lat) <= 90))
    throw illegalArgument(`illegal latitude value [${javaDoubleText(point.lat)}] for ${path}`);
  if (!(Math.abs(point.lon) <= 180))
    throw illegalArgument(`illegal longitude value [${javaDoubleText(point.lon)}] for ${path}`);
  return point;
}

function latLon({ lat, lon }: GeoPoint): string {
  return `${javaDoubleText(lat)}, ${javaDoubleText(lon)}`;
}

function geoJson({ lat, lon }: GeoPoint): object {
  return { coordinates: [new DoubleNumber(lon), new DoubleNumber(lat)], type: 'Point' };
}

function wellKnownText({ lat, lon }: GeoPoint): string {
  return `POINT (${javaDoubleText(lon)} ${javaDoubleText(lat)})`;
}
