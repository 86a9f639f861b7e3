/**
 * Functions of scripts of scores by how far a value is from an origin: of numbers, dates and places.
 */
import { isShoalError, parseTimeValue } from '@shoal/core';
import { arcDistance, parseDistance, parsePoint } from '@shoal/geo';
import { DATE_FORMAT_DEFAULT, dateFormatter, parseDateMath } from '@shoal/schema';
import type { ContextFunction } from '../compile/compiler.ts';
import type { ScriptPoint } from '../library/document-values.ts';
import type { JavaDateTime } from '../time/instants.ts';
import { STRING } from '../types/script-type.ts';
import { illegalArgumentException } from '../values/java-exception.ts';

/** How much is left at a distance of the origin. */
type Curve = (distance: number, scale: number, decay: number) => number;

const CURVES: readonly (readonly [name: string, curve: Curve])[] = [
  ['Exp', (distance, scale, decay) => Math.exp((Math.log(decay) / scale) * distance)],
  ['Gauss', (distance, scale, decay) => Math.exp((0.5 * distance ** 2 * Math.log(decay)) / (0.5 * scale ** 2))],
  ['Linear', (distance, scale, decay) => Math.max(0, (scale / (1 - decay) - distance) / (scale / (1 - decay)))],
];

function ofNumbers(curve: Curve): ContextFunction {
  return {
    parameters: ['double', 'double', 'double', 'double', 'double'],
    returns: 'double',
    run: (origin: number, scale: number, offset: number, decay: number, value: number) => {
      if (!(scale > 0)) throw illegalArgumentException(`[scale] must be above 0, got ${scale}`);
      return curve(Math.max(0, Math.abs(value - origin) - offset), scale, decay);
    },
  };
}

/** Origin, scale and offset of a call, which are the same texts for every document: read once. */
function readOnce<T>(read: (origin: string, scale: string, offset: string) => T) {
  let texts: readonly string[] = [];
  let known: T | undefined;
  return (...given: readonly [origin: string, scale: string, offset: string]): T => {
    if (known === undefined || given.some((text, at) => text !== texts[at])) {
      known = readTexts(() => read(...given));
      texts = given;
    }
    return known;
  };
}

function readTexts<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw isShoalError(error) ? illegalArgumentException(error.reason ?? error.type) : error;
  }
}

const TEXT_PARAMETERS = [STRING, STRING, STRING, 'double'];

function ofPlaces(curve: Curve): ContextFunction {
  const parts = readOnce((origin, scale, offset) => ({
    origin: parsePoint(origin, { ignoresZ: false }),
    scale: parseDistance(scale),
    offset: parseDistance(offset),
  }));
  return {
    parameters: [...TEXT_PARAMETERS, 'org.elasticsearch.common.geo.GeoPoint'],
    returns: 'double',
    run: (originText: string, scaleText: string, offsetText: string, decay: number, { lat, lon }: ScriptPoint) => {
      const { origin, scale, offset } = parts(originText, scaleText, offsetText);
      return curve(Math.max(0, arcDistance(origin.lat, origin.lon, lat, lon) - offset), scale, decay);
    },
  };
}

function ofDates(curve: Curve): ContextFunction {
  const parts = readOnce((origin, scale, offset) => {
    if (origin.startsWith('now')) throw illegalArgumentException('now is not allowed for [decay] functions');
    const formatter = dateFormatter(DATE_FORMAT_DEFAULT);
    const options = { formatter, clock: { nowMs: 0 }, roundUp: false, timeZone: null };
    return {
      originMs: parseDateMath(origin, options),
      scaleMs: parseTimeValue(scale, 'scale'),
      offsetMs: parseTimeValue(offset, 'offset'),
    };
  });
  return {
    parameters: [...TEXT_PARAMETERS, 'org.elasticsearch.script.JodaCompatibleZonedDateTime'],
    returns: 'double',
    run: (originText: string, scaleText: string, offsetText: string, decay: number, { ms }: JavaDateTime) => {
      const { originMs, scaleMs, offsetMs } = parts(originText, scaleText, offsetText);
      return curve(Math.max(0, Math.abs(Math.trunc(ms) - originMs) - offsetMs), scaleMs, decay);
    },
  };
}

/** By their names: `decayNumericLinear`, `decayDateExp`, `decayGeoGauss` and their kin. */
export const DECAY_FUNCTIONS: Readonly<Record<string, ContextFunction>> = Object.fromEntries(
  CURVES.flatMap(([name, curve]) => [
    [`decayNumeric${name}`, ofNumbers(curve)],
    [`decayDate${name}`, ofDates(curve)],
    [`decayGeo${name}`, ofPlaces(curve)],
  ]),
);
