/**
 * terms_set on a shard.
 */
import { illegalArgument } from '@shoal/core';
import type { TermsSetQuery } from '@shoal/query';
import { fieldType } from '../../../field-types/field-types.ts';
import { termLevelWeight } from '../../compile/compile-term-level.ts';
import type { ClauseUse } from '../../context/clause-use.ts';
import { type CompileContext, queryShardError } from '../../context/compile-context.ts';
import { CLAUSES_MAX } from '../../term-sets/clause-limits.ts';
import { NONE_WEIGHT, type Weight } from '../../weight/weight.ts';
import type { QueryBehaviour } from '../query-behaviour.ts';
import { coveringWeight } from './covering-weight.ts';

function compileTermsSet(ctx: CompileContext, query: TermsSetQuery, use: ClauseUse): Weight {
  const { field, values, minimumField } = query;
  if (values.length === 0) return NONE_WEIGHT;
  if (values.length > CLAUSES_MAX) throw illegalArgument(`maxClauseCount is set to ${CLAUSES_MAX}`);
  const weights = values.map((value) => termLevelWeight(ctx, field, value, use));
  if (minimumField === null) throw illegalArgument('No minimum should match has been specified');
  return coveringWeight(weights, minimumColumn(ctx, minimumField));
}

/** Path of the column that the field's numbers stand in. */
function minimumColumn(ctx: CompileContext, name: string): string {
  const mapping = ctx.mapping.field(name);
  if (!mapping) throw queryShardError(ctx.shard, `failed to find minimum_should_match field [${name}]`);
  const { numbers } = fieldType(mapping.kind);
  if (numbers !== 'quantity' && numbers !== 'instant') {
    throw illegalArgument(
      `minimum_should_match field [${name}] is of type [${mapping.kind}], but only numeric types are supported.`,
    );
  }
  if (!mapping.hasDocValues) {
    throw illegalArgument(
      `Can't load fielddata on [${name}] because fielddata is unsupported on fields of type [${mapping.kind}]. Use doc values instead.`,
    );
  }
  return mapping.path;
}

export const termsSet: QueryBehaviour<TermsSetQuery> = {
  compile: compileTermsSet,
  describe: ({ field, values, minimumField }) => ({
    type: 'CoveringQuery',
    text: `CoveringQuery(queries=[${values.map((value) => `${field}:${value}`).join(', ')}], minimumNumberMatch=long(${minimumField}))`,
  }),
  mark({ field, values }, sink) {
    for (const value of values) sink.value(field, value);
  },
};
