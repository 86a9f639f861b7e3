/**
 * Points of the globe, and their form in columns: 32 bits of latitude before 32 bits of longitude, in the steps that Lucene takes.
 */

/** Degrees: latitude -90 to 90, longitude -180 to 180. */
export interface GeoPoint {
  readonly lat: number;
  readonly lon: number;
}

/** Degrees of one step of a latitude. */
const LAT_STEP = 180 / 2 ** 32;
/** Degrees of one step of a longitude. */
const LON_STEP = 360 / 2 ** 32;
const STEP_MAX = 2 ** 31 - 1;
const HIGH = 2 ** 32;
const HIGH_BITS = 32n;

/** Steps of a latitude from the equator, towards the south pole where it lies between two. */
export function latitudeSteps(lat: number): number {
  return Math.min(Math.floor(lat / LAT_STEP), STEP_MAX);
}

export function longitudeSteps(lon: number): number {
  return Math.min(Math.floor(lon / LON_STEP), STEP_MAX);
}

/** First latitude that is not below `lat`, in steps. */
export function latitudeStepsUp(lat: number): number {
  return Math.min(Math.ceil(lat / LAT_STEP), STEP_MAX);
}

export function longitudeStepsUp(lon: number): number {
  return Math.min(Math.ceil(lon / LON_STEP), STEP_MAX);
}

export function latitudeOf(steps: number): number {
  return steps * LAT_STEP;
}

export function longitudeOf(steps: number): number {
  return steps * LON_STEP;
}

/** A point as one signed integer of 64 bits. */
export function packPoint({ lat, lon }: GeoPoint): bigint {
  return BigInt.asIntN(64, (BigInt(latitudeSteps(lat)) << HIGH_BITS) | BigInt(longitudeSteps(lon) >>> 0));
}

/** The point of `packPoint`, at most a step away from what was packed. */
export function unpackPoint(packed: bigint | number): GeoPoint {
  if (typeof packed === 'number') {
    const high = Math.floor(packed / HIGH);
    return { lat: latitudeOf(high), lon: longitudeOf((packed - high * HIGH) | 0) };
  }
  return { lat: latitudeOf(Number(packed >> HIGH_BITS)), lon: longitudeOf(Number(BigInt.asIntN(32, packed))) };
}

/** The same place with a latitude of -90 to 90 and a longitude of -180 to 180, beyond a pole on the other side of it. */
export function normalizedPoint({ lat, lon }: GeoPoint): GeoPoint {
  let north = centred(lat, 360);
  let isTurned = false;
  if (north < -90) {
    north = -180 - north;
    isTurned = true;
  } else if (north > 90) {
    north = 180 - north;
    isTurned = true;
  }
  const isOutside = lon <= -180 || lon > 180;
  const east = isTurned ? lon + 180 : lon;
  return { lat: north, lon: isTurned || isOutside ? centred(east, 360) : lon };
}

/** The value between -divisor/2, left out, and divisor/2 that differs by whole divisors. */
function centred(value: number, divisor: number): number {
  let rest = value % divisor;
  if (rest <= 0) rest += divisor;
  return rest > divisor / 2 ? rest - divisor : rest;
}
