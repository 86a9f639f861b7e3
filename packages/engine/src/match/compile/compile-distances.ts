/**
 * Decay functions and distance_feature queries: what an origin and a distance mean for the field that they are on.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import { parseDistance, parsePoint } from '@shoal/geo';
import { type DecayFunction, type DistanceFeatureQuery, parseTimeout, type QueryValue } from '@shoal/query';
import { dateFormatter, type FieldMapping, parseDateMath, parseDateMathNanos } from '@shoal/schema';
import { fieldType } from '../../field-types/field-types.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import { type CompileContext, queryShardError } from '../context/compile-context.ts';
import { distanceWeight } from '../function-score/distance-weight.ts';
import { type DistancesOf, numberDistances, pointDistances } from '../function-score/distances.ts';
import { decayFunction, type ScoreFunction } from '../function-score/score-functions.ts';
import { noneWeight, type Weight } from '../weight/weight.ts';

/** Nanoseconds of a millisecond. */
const MS_NANOS = 1e6;

/** How a sort of field measures. */
interface Measure {
  /** A distance of a request in the unit of `from`. */
  length(value: QueryValue, what: string): number;
  /** @param origin null: now; an error where nothing is meant by it */
  from(origin: QueryValue): { readonly distances: DistancesOf; readonly origin: readonly number[] };
}

/** null for a field that has no distances. */
function measureOf(ctx: CompileContext, field: FieldMapping, roundsUp: boolean): Measure | null {
  if (field.kind === 'geo_point') return placesOf(field);
  const { numbers, holdsNanos = false } = fieldType(field.kind);
  if (numbers === 'quantity') return numbersOf(field);
  if (numbers !== 'instant') return null;
  return {
    length: (value, what) => parseTimeout(String(value), what) ?? 0,
    from(value) {
      const origin = value === null ? ctx.clock.nowMs : dateOf(ctx, field, value, roundsUp);
      return { distances: numberDistances(field.path, holdsNanos, origin), origin: [origin] };
    },
  };
}

function numbersOf({ path }: FieldMapping): Measure {
  return {
    length: numberOf,
    from(value) {
      if (value === null) throw illegalArgument('Both [origin] and [scale] must be set for a numeric function.');
      const origin = numberOf(value, 'origin');
      return { distances: numberDistances(path, false, origin), origin: [origin] };
    },
  };
}

function placesOf({ path }: FieldMapping): Measure {
  return {
    length: (value) => parseDistance(String(value)),
    from(value) {
      if (value === null) {
        throw new ShoalError('parse_exception', 400, 'origin and scale must be set for a geo function.');
      }
      const point = parsePoint(String(value), { ignoresZ: false });
      return { distances: pointDistances(path, point), origin: [point.lat, point.lon] };
    },
  };
}

export function compileDecay(ctx: CompileContext, decay: DecayFunction): ScoreFunction {
  const field = ctx.mapping.field(decay.field);
  if (!field) throw queryShardError(ctx.shard, `unknown field [${decay.field}]`);
  const measure = field.kind === 'scaled_float' ? null : decayMeasure(ctx, field);
  if (measure === null) {
    const reason = `field [${decay.field}] is of type [${field.kind}], but only numeric types are supported.`;
    throw new ShoalError('parsing_exception', 400, reason);
  }
  const scale = measure.length(decay.scale, 'scale');
  const offset = decay.offset === null ? 0 : measure.length(decay.offset, 'offset');
  if (scale <= 0) throw illegalArgument('scale must be > 0.0');
  if (offset < 0) throw illegalArgument('offset must be > 0.0');
  const { distances, origin } = measure.from(decay.origin);
  return decayFunction({ ...decay, field: field.path, distances, origin: origin.join(','), scale, offset });
}

/** Scales of a decay are milliseconds, also of fields that hold nanoseconds, as in version 7.10: all but the origin is far from it. */
function decayMeasure(ctx: CompileContext, field: FieldMapping): Measure | null {
  const measure = measureOf(ctx, field, false);
  if (measure === null || fieldType(field.kind).holdsNanos !== true) return measure;
  return {
    ...measure,
    from(value) {
      const origin = value === null ? ctx.clock.nowMs : nanosOf(ctx, field, value, false);
      return { distances: numberDistances(field.path, false, origin), origin: [origin] };
    },
  };
}

export function compileDistance(ctx: CompileContext, query: DistanceFeatureQuery, use: ClauseUse): Weight {
  const field = ctx.mapping.field(query.field);
  if (!field) return noneWeight("Can't run [distance_feature] query on unmapped fields!");
  const isQuantity = fieldType(field.kind).numbers === 'quantity';
  const measure = isQuantity ? null : measureOf(ctx, field, true);
  if (measure === null) {
    throw illegalArgument(
      `Illegal data type of [${field.kind}]! [distance_feature] query can only be run on a date, date_nanos or geo_point field type!`,
    );
  }
  const pivot = measure.length(query.pivot, 'pivot');
  if (pivot <= 0) throw illegalArgument(`pivotDistance must be > 0, got ${pivot}`);
  return distanceWeight({
    field: field.path,
    ...measure.from(query.origin),
    pivot,
    unit: fieldType(field.kind).holdsNanos === true ? MS_NANOS : 1,
    boost: use.boost,
  });
}

function numberOf(value: QueryValue, what: string): number {
  const number = Number(value);
  if (value === null || value === '' || Number.isNaN(number))
    throw illegalArgument(`[${what}] is no number: [${String(value)}]`);
  return number;
}

function dateOf(ctx: CompileContext, field: FieldMapping, value: QueryValue, roundUp: boolean): number {
  const options = { formatter: dateFormatter(field.format), clock: ctx.clock, roundUp, timeZone: null };
  const given = typeof value === 'number' ? value : String(value);
  if (fieldType(field.kind).holdsNanos === true) return nanosOf(ctx, field, value, roundUp) / MS_NANOS;
  return parseDateMath(given, options);
}

function nanosOf(ctx: CompileContext, field: FieldMapping, value: QueryValue, roundUp: boolean): number {
  const options = { formatter: dateFormatter(field.format), clock: ctx.clock, roundUp, timeZone: null };
  return Number(parseDateMathNanos(typeof value === 'number' ? value : String(value), options));
}
