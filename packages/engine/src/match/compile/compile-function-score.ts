/**
 * function_score and distance_feature queries to weights: what fields and dates mean on this shard.
 */
import { illegalArgument, murmur3Final, ShoalError, unreachable } from '@shoal/core';
import {
  type DecayFunction,
  type DistanceFeatureQuery,
  type FunctionScoreQuery,
  parseTimeout,
  type QueryNode,
  type QueryValue,
  type WeighedFunction,
} from '@shoal/query';
import { dateFormatter, type FieldMapping, parseDateMath, parseDateMathNanos } from '@shoal/schema';
import { fieldType } from '../../field-types/field-types.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import { type CompileContext, queryShardError, utf8Bytes } from '../context/compile-context.ts';
import { distanceWeight } from '../function-score/distance-weight.ts';
import { functionScoreWeight } from '../function-score/function-score-weight.ts';
import {
  CONSTANT_FUNCTION,
  decayFunction,
  fieldValueFunction,
  mixedBytes,
  randomFunction,
  type ScoreFunction,
} from '../function-score/score-functions.ts';
import { NONE_WEIGHT, type Weight } from '../weight/weight.ts';

/** Compiles the queries inside; given by whoever knows all kinds. */
type CompileInner = (query: QueryNode, use: ClauseUse) => Weight;

export function compileFunctionScore(
  ctx: CompileContext,
  query: FunctionScoreQuery,
  use: ClauseUse,
  compile: CompileInner,
): Weight {
  const unscored = { boost: 1, isScored: false };
  // A least score is a matter of which documents match, whoever asks for scores.
  const isScored = use.isScored || query.minScore !== null;
  // Compiled where nobody asks for scores too: what is wrong with a function is wrong with the query.
  const compiled = query.functions.map((one) => ({
    score: scoreFunction(ctx, one),
    filter: one.filter === null ? null : compile(one.filter, unscored),
    weight: one.weight,
  }));
  const functions = isScored ? compiled : [];
  // One function of all documents is taken as it is: there is nothing to average.
  const isSingle = functions.length === 1 && functions[0]?.filter === null;
  return functionScoreWeight({
    ...query,
    scoreMode: isSingle ? 'first' : query.scoreMode,
    query: compile(query.query, { boost: use.boost, isScored }),
    functions,
  });
}

function scoreFunction(ctx: CompileContext, { score }: WeighedFunction): ScoreFunction {
  switch (score.kind) {
    case 'constant':
      return CONSTANT_FUNCTION;
    case 'fieldValue': {
      const field = ctx.mapping.field(score.field);
      if (!field && score.missing === null) {
        throw new ShoalError('exception', 500, `Unable to find a field mapper for field [${score.field}]`);
      }
      if (field) checkNumeric(field, 'field_value_factor');
      return fieldValueFunction(field === null ? score : { ...score, field: field.path });
    }
    case 'random': {
      if (score.field !== null && !ctx.mapping.field(score.field) && !score.field.startsWith('_')) {
        throw illegalArgument(
          `Field [${score.field}] is not mapped on [${ctx.shard.index}] and cannot be used as a source of random numbers.`,
        );
      }
      const { seed, field } = score;
      const number =
        seed === null
          ? ctx.clock.nowMs | 0
          : /^-?\d{1,15}$/.test(seed)
            ? Number(seed) | 0
            : mixedBytes(utf8Bytes(seed));
      // Shards differ, as their documents do.
      const salted = murmur3Final(
        number ^ mixedBytes(utf8Bytes(ctx.shard.index)) ^ Math.imul(ctx.shard.number + 1, 31),
      );
      const source = seed === null ? '' : ` (seed: ${seed}${field === null ? '' : `, field: ${field}`})`;
      return randomFunction(
        salted,
        field === null ? null : (ctx.mapping.field(field)?.path ?? field),
        `random score function${source}`,
      );
    }
    case 'decay':
      return compileDecay(ctx, score);
    default:
      return unreachable(score);
  }
}

function checkNumeric(field: FieldMapping, what: string): void {
  if (fieldType(field.kind).numbers !== null) return;
  throw illegalArgument(
    `[${what}] field [${field.path}] is of type [${field.kind}], but only numeric types are supported.`,
  );
}

function compileDecay(ctx: CompileContext, decay: DecayFunction): ScoreFunction {
  const field = ctx.mapping.field(decay.field);
  if (!field) throw queryShardError(ctx.shard, `unknown field [${decay.field}]`);
  const { numbers } = fieldType(field.kind);
  if (numbers !== 'quantity' && numbers !== 'instant') {
    throw queryShardError(
      ctx.shard,
      `field [${decay.field}] is of type [${field.kind}], but only numeric types are supported.`,
    );
  }
  const isDate = numbers === 'instant';
  const length = (value: QueryValue, what: string): number => {
    if (value === null) return 0;
    return isDate ? durationMs(String(value), what) : numberOf(value, what);
  };
  const scale = length(decay.scale, 'scale');
  const offset = length(decay.offset, 'offset');
  if (scale <= 0) throw illegalArgument('scale must be > 0.0');
  if (offset < 0) throw illegalArgument('offset must be > 0.0');
  if (decay.origin === null && !isDate)
    throw illegalArgument('Both [origin] and [scale] must be set for a numeric function.');
  const origin = isDate
    ? decay.origin === null
      ? ctx.clock.nowMs
      : dateOf(ctx, field, decay.origin, false)
    : numberOf(decay.origin, 'origin');
  return decayFunction({
    ...decay,
    field: field.path,
    isInNanos: fieldType(field.kind).holdsNanos === true,
    origin,
    scale,
    offset,
  });
}

function numberOf(value: QueryValue, what: string): number {
  const number = Number(value);
  if (value === null || value === '' || Number.isNaN(number))
    throw illegalArgument(`[${what}] is no number: [${String(value)}]`);
  return number;
}

function durationMs(text: string, what: string): number {
  return parseTimeout(text, what) ?? 0;
}

function dateOf(ctx: CompileContext, field: FieldMapping, value: QueryValue, roundUp: boolean): number {
  const options = { formatter: dateFormatter(field.format), clock: ctx.clock, roundUp, timeZone: null };
  const given = typeof value === 'number' ? value : String(value);
  if (fieldType(field.kind).holdsNanos === true) return Number(parseDateMathNanos(given, options)) / 1e6;
  return parseDateMath(given, options);
}

export function compileDistance(ctx: CompileContext, query: DistanceFeatureQuery, use: ClauseUse): Weight {
  const field = ctx.mapping.field(query.field);
  if (!field) return NONE_WEIGHT;
  if (fieldType(field.kind).numbers !== 'instant') {
    throw illegalArgument(
      `Illegal data type of [${field.kind}]! [distance_feature] query can only be run on a date, date_nanos or geo_point field type!`,
    );
  }
  const pivot = durationMs(query.pivot, 'pivot');
  if (pivot <= 0) throw illegalArgument(`pivotDistance must be > 0, got ${pivot}`);
  const origin = dateOf(ctx, field, query.origin, true);
  const isInNanos = fieldType(field.kind).holdsNanos === true;
  return distanceWeight({ field: field.path, isInNanos, origin, pivot, boost: use.boost });
}
