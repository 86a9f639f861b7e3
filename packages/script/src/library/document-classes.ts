/**
 * Classes of the values of fields: `ScriptDocValues` of each kind, and points.
 */
import { arcDistance, type DistanceBetween, planeDistance } from '@shoal/geo';
import { type Invoke, type ScriptClass, scriptClass } from '../contract/script-class.ts';
import type { FieldValues, FieldValuesClass, ScriptPoint } from './document-values.ts';

const PREFIX = 'org.elasticsearch.index.fielddata.ScriptDocValues';
const LIST_SUPERS = [PREFIX, 'java.util.List', 'java.util.Collection', 'java.lang.Iterable', 'java.lang.Object'];

const VALUE_TYPES: Readonly<Record<Exclude<FieldValuesClass, 'DenseVectors'>, string>> = {
  Longs: 'long',
  Doubles: 'double',
  Strings: 'String',
  Booleans: 'boolean',
  Dates: 'org.elasticsearch.script.JodaCompatibleZonedDateTime',
  GeoPoints: 'org.elasticsearch.common.geo.GeoPoint',
};

const point = (self: FieldValues): ScriptPoint => self.first() as ScriptPoint;

/** Distance of the field's first point from another one; `Default`: what stands for a document without a point. */
function distance(measure: DistanceBetween): Invoke {
  return (_m, self: FieldValues, lat: number, lon: number) => {
    const { lat: ownLat, lon: ownLon } = point(self);
    return measure(ownLat, ownLon, lat, lon);
  };
}

function distanceOr(measure: DistanceBetween): Invoke {
  return (machine, self: FieldValues, lat: number, lon: number, other: number) =>
    self.length === 0 ? other : distance(measure)(machine, self, lat, lon);
}

const GEO_MEMBERS: Record<string, Invoke> = {
  'double getLat()': (_m, self: FieldValues) => point(self).lat,
  'double getLon()': (_m, self: FieldValues) => point(self).lon,
  'double arcDistance(double,double)': distance(arcDistance),
  'double arcDistanceWithDefault(double,double,double)': distanceOr(arcDistance),
  'double planeDistance(double,double)': distance(planeDistance),
  'double planeDistanceWithDefault(double,double,double)': distanceOr(planeDistance),
};

export const DOCUMENT_CLASSES: readonly ScriptClass[] = [
  scriptClass(PREFIX, LIST_SUPERS.slice(1), {}),
  ...Object.entries(VALUE_TYPES).map(([kind, type]) =>
    scriptClass(`${PREFIX}.${kind}`, LIST_SUPERS, {
      [`${type} getValue()`]: (_m, self: FieldValues) => self.first(),
      [`${type} get(int)`]: (_m, self: FieldValues, index: number) => self.at(index),
      'List getValues()': (_m, self: FieldValues) => [...self.items()],
      ...(kind === 'GeoPoints' ? GEO_MEMBERS : {}),
    }),
  ),
  scriptClass('org.elasticsearch.common.geo.GeoPoint', ['java.lang.Object'], {
    'double getLat()': (_m, self: ScriptPoint) => self.lat,
    'double getLon()': (_m, self: ScriptPoint) => self.lon,
  }),
];
