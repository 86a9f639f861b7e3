/**
 * What is said of a geometry that cannot be read: documents and requests word it differently.
 */
import { illegalArgument, javaDoubleText, ShoalError } from '@shoal/core';
import { parseError } from '../parse-point.ts';

export interface GeometryRefusals {
  noType(): ShoalError;
  unknownType(type: string): ShoalError;
  unknownText(type: string): ShoalError;
  notOnePoint(): ShoalError;
  shortLine(found: number): ShoalError;
  /** Like `shortLine`, of a text. */
  shortTextLine(found: number): ShoalError;
  /** null: a ring may have so few positions, which is found out later. */
  shortRing(found: number): ShoalError | null;
  /** @param end number of the last position */
  openRing(first: readonly number[], last: readonly number[], end: number): ShoalError;
  /** A polygon without rings, or another geometry without parts; null: it is empty. */
  empty(type: string): ShoalError | null;
  /** A parameter that geometries of the type do not have. */
  parameter(name: string, type: string): ShoalError;
  objectCoordinates(): ShoalError;
  /** What is wrong with the coordinates, in the error of the whole. */
  inCoordinates(cause: ShoalError): ShoalError;
  /** What is wrong with the geometry that the members make. */
  inGeometry(cause: ShoalError): ShoalError;
  /** An envelope of another number of corners than two. */
  corners(found: number): ShoalError;
  /** Text behind a geometry; null: it is left out. */
  textBehind(token: string): ShoalError | null;
  /** Positions of a text may stand in parentheses of their own. */
  readonly takesInnerParentheses: boolean;
  /** A text may be a circle. */
  readonly takesCircleText: boolean;
}

export const DOCUMENT_REFUSALS: GeometryRefusals = {
  noType: () => illegalArgument('Required [type]'),
  unknownType: (type) => illegalArgument(`No enum constant org.elasticsearch.geometry.ShapeType.${type.toUpperCase()}`),
  unknownText: (type) => illegalArgument(`Unknown geometry type: ${type.toLowerCase()}`),
  notOnePoint: () => new ShoalError('exception', 400, 'expected a single points but got a list'),
  shortLine: () => new ShoalError('exception', 400, 'not enough points to build a line'),
  shortTextLine: () => illegalArgument('at least two points in the line is required'),
  shortRing: () => null,
  openRing: (first, last, end) => {
    const [x0, y0, x1, y1] = [first[0], first[1], last[0], last[1]].map((each) => javaDoubleText(each ?? 0));
    return illegalArgument(
      `first and last points of the linear ring must be the same (it must close itself): x[0]=${x0} x[${end}]=${x1} y[0]=${y0} y[${end}]=${y1}`,
    );
  },
  empty: (type) =>
    type === 'polygon'
      ? new ShoalError('index_out_of_bounds_exception', 400, 'Index 0 out of bounds for length 0')
      : illegalArgument('the list of shapes cannot be null or empty'),
  parameter: (name, type) => parseError(`parameter ${name} is not supported for type ${type}`),
  objectCoordinates: () => xContentError("[geojson] coordinates doesn't support values of type: START_OBJECT"),
  inCoordinates: (cause) => xContentError('[geojson] failed to parse field [coordinates]', cause),
  inGeometry: (cause) => xContentError('Failed to build [geojson] after last required field arrived', cause),
  corners: (found) => parseError(cornersReason(found, 'ENVELOPE')),
  textBehind: () => null,
  takesInnerParentheses: false,
  takesCircleText: true,
};

export const REQUEST_REFUSALS: GeometryRefusals = {
  noType: () => parseError('shape type not included'),
  unknownType: (type) => illegalArgument(`unknown geo_shape [${type}]`),
  unknownText: (type) => illegalArgument(`unknown geo_shape [${type}]`),
  notOnePoint: () => parseError('multipoint data provided when single point data expected.'),
  shortLine: (found) => parseError(shortLineReason(found)),
  shortTextLine: (found) => illegalArgument(shortLineReason(found)),
  shortRing: (found) => parseError(`invalid number of points in LinearRing (found [${found}] - must be >= 4)`),
  openRing: () => parseError('invalid LinearRing found (coordinates are not closed)'),
  empty: (type) => {
    if (type === 'polygon') {
      return parseError('invalid LinearRing provided for type polygon. Linear ring must be an array of coordinates');
    }
    if (type !== 'multipoint') return null;
    return parseError(
      'no data provided for multipoint object when expecting >0 points (e.g., [[lat, lng]] or [[lat, lng], ...])',
    );
  },
  parameter: (name, type) => parseError(`cannot have [${name}] with type set to [${type.toLowerCase()}]`),
  objectCoordinates: () => parseError('coordinates cannot be specified as objects'),
  inCoordinates: (cause) => cause,
  inGeometry: (cause) => cause,
  corners: (found) => parseError(cornersReason(found, 'envelope')),
  textBehind: (token) => parseError(`expected end of WKT string but found additional text: ${token}`),
  takesInnerParentheses: true,
  takesCircleText: false,
};

function shortLineReason(found: number): string {
  return `invalid number of points in LineString (found [${found}] - must be >= 2)`;
}

function cornersReason(found: number, type: string): string {
  return `invalid number of points [${found}] provided for geo_shape [${type}] when expecting an array of 2 coordinates`;
}

function xContentError(reason: string, causedBy?: ShoalError): ShoalError {
  return new ShoalError('x_content_parse_exception', 400, reason, causedBy === undefined ? {} : { causedBy });
}
