/**
 * Points of a plane as documents write them: an object, a list, a text of two numbers, or well-known text.
 */
import { illegalArgument, javaDoubleText, ShoalError } from '@shoal/core';
import { javaDouble, type PointParsing, parseError } from '../parse-point.ts';
import { checkHeights, type Position } from './geometry.ts';
import { DOCUMENT_REFUSALS } from './geometry-refusals.ts';
import { parseWellKnownText } from './parse-well-known-text.ts';

const MEMBERS = ['x', 'y', 'z'];

/** x and y. @throws ShoalError `parse_exception` or `illegal_argument_exception` */
export function parsePlanePoint(value: unknown, { ignoresZ }: PointParsing): readonly [x: number, y: number] {
  const reading = { turnsRings: false, closesRings: false, ignoresZ, refusals: DOCUMENT_REFUSALS };
  const at = positionOf(value, (text) => {
    const geometry = parseWellKnownText(text, reading);
    if (geometry.kind === 'Point' && geometry.at !== null) return geometry.at;
    throw parseError(`[${text}] is no point`);
  });
  checkHeights({ kind: 'Point', at }, reading);
  for (const each of [at[0], at[1]]) {
    if (!Number.isFinite(Math.fround(each)))
      throw illegalArgument(`point [${javaDoubleText(each)}] is beyond the plane`);
  }
  return [at[0], at[1]];
}

function positionOf(value: unknown, ofText: (text: string) => Position): Position {
  if (typeof value === 'string') {
    if (value.includes('(')) return ofText(value);
    return ofNumbers(value.split(',').map((each) => javaDouble(each)));
  }
  if (Array.isArray(value)) return ofNumbers(value.map((each) => (typeof each === 'number' ? each : null)));
  if (typeof value !== 'object' || value === null) throw parseError('point expected');
  const members = value as Record<string, unknown>;
  if (Object.keys(members).some((name) => !MEMBERS.includes(name)))
    throw parseError('field must be either [x], [y], or [z]');
  const { x, y, z } = members;
  if (x === undefined) throw parseError('field [x] missing');
  if (y === undefined) throw parseError('field [y] missing');
  return ofNumbers(
    [x, y, ...(z === undefined ? [] : [z])].map((each) => (each === null ? null : javaDouble(String(each)))),
  );
}

function ofNumbers(numbers: readonly (number | null)[]): Position {
  if (numbers.length < 2 || numbers.length > 3) {
    throw parseError(`expected 2 or 3 coordinates but found: [${numbers.length}]`);
  }
  const [x, y, z] = numbers;
  if (x == null || y == null || z === null) {
    throw parseError(
      '[x] and [y] must be valid double values',
      new ShoalError('number_format_exception', 400, 'not a number'),
    );
  }
  return z === undefined ? [x, y] : [x, y, z];
}
