/**
 * fuzzy on a shard: only fields with terms of text have words near each other.
 */

import type { FuzzyQuery } from '@shoal/query';
import { fuzzyWeight } from '../compile/compile-fuzzy.ts';
import { normalizedValue } from '../compile/normalized-value.ts';
import { hasPatterns, notForFuzzy } from '../compile/not-for-field.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { checkFuzzy } from '../metadata/metadata-queries.ts';
import { NOTHING_WANTED, type Weight } from '../weight/weight.ts';
import type { QueryBehaviour } from './query-behaviour.ts';

function compileFuzzy(ctx: CompileContext, query: FuzzyQuery, use: ClauseUse): Weight {
  checkFuzzy(query.field);
  const field = ctx.mapping.field(query.field);
  if (!field) return NOTHING_WANTED;
  if (!hasPatterns(field)) throw notForFuzzy(field);
  return fuzzyWeight(ctx, field.path, String(normalizedValue(ctx, field, query.value)), query, use);
}

export const fuzzy: QueryBehaviour<FuzzyQuery> = {
  compile: compileFuzzy,
  describe: ({ field, value, fuzziness }) => ({ type: 'FuzzyQuery', text: `${field}:${value}~${fuzziness}` }),
  mark: (query, sink) => sink.fuzzy(query),
};
