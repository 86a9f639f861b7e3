/**
 * terms_set on a shard.
 */
import { illegalArgument } from '@shoal/core';
import type { TermsSetQuery } from '@shoal/query';
import { type ScriptRequest, TERMS_SET_CONTEXT, textOf } from '@shoal/script';
import { fieldType } from '../../../field-types/field-types.ts';
import { termLevelWeight } from '../../compile/compile-term-level.ts';
import type { ClauseUse } from '../../context/clause-use.ts';
import { type CompileContext, queryShardError } from '../../context/compile-context.ts';
import { DocumentScript, describeScript } from '../../scripts/document-script.ts';
import { CLAUSES_MAX } from '../../term-sets/clause-limits.ts';
import { noneWeight, type Weight } from '../../weight/weight.ts';
import type { QueryBehaviour } from '../query-behaviour.ts';
import { coveringWeight, fieldMinimum, type MinimumMatches } from './covering-weight.ts';

function compileTermsSet(ctx: CompileContext, query: TermsSetQuery, use: ClauseUse): Weight {
  const { field, values, minimumField, minimumScript } = query;
  if (values.length === 0) return noneWeight('No terms supplied for "terms_set" query.');
  if (values.length > CLAUSES_MAX) throw illegalArgument(`maxClauseCount is set to ${CLAUSES_MAX}`);
  const weights = values.map((value) => termLevelWeight(ctx, field, value, use));
  if (minimumScript !== null) return coveringWeight(weights, scriptedMinimum(ctx, minimumScript, values.length));
  if (minimumField === null) throw illegalArgument('No minimum should match has been specified');
  return coveringWeight(weights, fieldMinimum(minimumColumn(ctx, minimumField)));
}

/** The number that a script gives for a document; it finds how many terms there are as `params.num_terms`. */
function scriptedMinimum(ctx: CompileContext, request: ScriptRequest, termCount: number): MinimumMatches {
  const script = new DocumentScript(ctx, request, TERMS_SET_CONTEXT, { num_terms: termCount });
  return {
    text: `script(${describeScript(request)})`,
    bind(view) {
      const run = script.bind(view);
      return (doc) => {
        const value = run(doc, 0);
        return value === null ? null : Math.max(1, Math.trunc(Number(textOf(value))));
      };
    },
  };
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
  describe: ({ field, values, minimumField, minimumScript }) => ({
    type: 'CoveringQuery',
    text: `CoveringQuery(queries=[${values.map((value) => `${field}:${value}`).join(', ')}], minimumNumberMatch=${minimumScript === null ? `long(${minimumField})` : `script(${describeScript(minimumScript)})`})`,
  }),
  mark({ field, values }, sink) {
    for (const value of values) sink.value(field, value);
  },
};
