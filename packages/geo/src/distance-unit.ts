/**
 * Distances as requests write them: a number with a unit.
 */
import { illegalArgument } from '@shoal/core';

/** Metres of each unit, by all its names. */
const METRES: readonly (readonly [metres: number, names: readonly string[]])[] = [
  [0.0254, ['in', 'inch']],
  [0.9144, ['yd', 'yards']],
  [0.3048, ['ft', 'feet']],
  [1000, ['km', 'kilometers']],
  [1852, ['nmi', 'NM', 'nauticalmiles']],
  [0.001, ['mm', 'millimeters']],
  [0.01, ['cm', 'centimeters']],
  [1609.344, ['mi', 'miles']],
  [1, ['m', 'meters']],
];

/** @throws ShoalError `illegal_argument_exception` for an unknown name */
export function metresOfUnit(unit: string): number {
  const found = METRES.find(([, names]) => names.includes(unit));
  if (found === undefined) throw illegalArgument(`No distance unit match [${unit}]`);
  return found[0];
}

/** Metres of a text such as `12km`; a bare number has the given unit. */
export function parseDistance(text: string, unit = 'm'): number {
  for (const [metres, names] of METRES) {
    const name = names.find((each) => text.endsWith(each));
    if (name !== undefined) return numberOf(text.slice(0, -name.length), text) * metres;
  }
  return numberOf(text, text) * metresOfUnit(unit);
}

function numberOf(digits: string, text: string): number {
  const trimmed = digits.trim();
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(trimmed)) return Number(trimmed);
  throw illegalArgument(`For input string: "${text === digits ? text : digits}"`);
}
