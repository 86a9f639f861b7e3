/**
 * function_score queries to weights: what fields mean on this shard.
 */
import { illegalArgument, ShoalError, unreachable } from '@shoal/core';
import type { FunctionScoreQuery, QueryNode, WeighedFunction } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import { fieldType } from '../../field-types/field-types.ts';
import { ID_FIELD } from '../../format/metadata-fields.ts';
import { askedDocs } from '../context/asked-docs.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { functionScoreWeight } from '../function-score/function-score-weight.ts';
import { randomFunction, shardSeed } from '../function-score/random-function.ts';
import { CONSTANT_FUNCTION, fieldValueFunction, type ScoreFunction } from '../function-score/score-functions.ts';
import { scriptFunction } from '../scripts/score-script.ts';
import type { Weight } from '../weight/weight.ts';
import { compileDecay } from './compile-distances.ts';

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
    askedDocs: (view) => askedDocs(ctx, view),
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
      const number = seed === null ? ctx.clock.nowMs | 0 : seed;
      const salted = shardSeed(number, ctx.shard);
      const source = seed === null ? '' : ` (seed: ${seed}, field: ${field ?? ID_FIELD})`;
      return randomFunction(
        salted,
        field === null ? null : (ctx.mapping.field(field)?.path ?? field),
        `random score function${source}`,
      );
    }
    case 'script':
      return scriptFunction(ctx, score.script);
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
