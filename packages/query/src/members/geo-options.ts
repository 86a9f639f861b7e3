/**
 * What queries and sorts of places share: how a point is written, and what becomes of one that lies nowhere on the globe.
 */
import { illegalArgument, type JsonNode, jsonNodeValue, type ValueReader } from '@shoal/core';
import { type GeoPoint, parsePoint } from '@shoal/geo';
import { readString } from './request-values.ts';

const VALIDATIONS = ['coerce', 'ignore_malformed', 'strict'] as const;

/** `strict`: coordinates beyond the globe are an error. `coerce`: they go around it. `ignore_malformed`: they are taken as they are. */
export type PointValidation = (typeof VALIDATIONS)[number];

export const STRICT: PointValidation = 'strict';

export function readValidation(node: JsonNode): PointValidation {
  const text = readString(node, 'validation_method');
  const found = VALIDATIONS.find((name) => name === text.toLowerCase());
  if (found !== undefined) return found;
  throw illegalArgument(`operator needs to be either [COERCE, IGNORE_MALFORMED, STRICT], but not [${text}]`);
}

export function validationOf(r: ValueReader): PointValidation {
  return r.oneOf('validation', VALIDATIONS);
}

/** Not yet checked to lie on the globe. */
export function readPoint(node: JsonNode): GeoPoint {
  return parsePoint(jsonNodeValue(node), { ignoresZ: true });
}

/** Not yet checked to lie on the globe. */
export function readPointText(text: string): GeoPoint {
  return parsePoint(text, { ignoresZ: true });
}

export function pointOf(r: ValueReader): GeoPoint {
  return { lat: r.number('lat'), lon: r.number('lon') };
}

const DISTANCE_TYPES = ['arc', 'plane'];

/** How distances are computed. */
export type DistanceType = 'arc' | 'plane';

export function readDistanceType(node: JsonNode): DistanceType {
  const text = readString(node, 'distance_type');
  if (!DISTANCE_TYPES.includes(text.toLowerCase())) throw illegalArgument(`No geo distance for [${text}]`);
  return text.toLowerCase() === 'arc' ? 'arc' : 'plane';
}
