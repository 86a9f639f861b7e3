/**
 * The typed query tree to weights over one shard: which values mean what, by the shard's mapping.
 */
import { illegalArgument, unreachable } from '@shoal/core';
import { asQuery, type BoolQuery, type FuzzyQuery, plainPattern, type Query, type QueryNode } from '@shoal/query';
import { allDocsWeight, constantScoreWeight } from '../bits/constant-weight.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { booleanWeight, boostingWeight, disMaxWeight } from '../scorers/boolean-weight.ts';
import { CLAUSES_MAX } from '../term-sets/clause-limits.ts';
import { NONE_WEIGHT, type Weight } from '../weight/weight.ts';
import { matchPhraseWeight, matchWeight } from './compile-full-text.ts';
import { compileDistance, compileFunctionScore } from './compile-function-score.ts';
import { fuzzyWeight } from './compile-fuzzy.ts';
import { intervalsWeight } from './compile-intervals.ts';
import { multiMatchWeight } from './compile-multi-match.ts';
import { patternWeight } from './compile-patterns.ts';
import { spanWeight } from './compile-span.ts';
import { existsWeight, idsWeight, rangeWeight, termLevelWeight, termsWeight } from './compile-term-level.ts';
import { minimumShouldMatch } from './minimum-should-match.ts';
import { queryStringToQuery } from './query-string.ts';

/** @throws ShoalError what is wrong with the query here; the caller names the index */
export function compileQuery(ctx: CompileContext, node: QueryNode, outer: ClauseUse): Weight {
  const { profile } = ctx;
  const query = asQuery(node);
  return profile === undefined
    ? compileKind(ctx, query, outer)
    : profile.around(query, () => compileKind(ctx, query, outer));
}

function compileKind(ctx: CompileContext, query: Query, outer: ClauseUse): Weight {
  const use: ClauseUse = query.boost === 1 ? outer : { ...outer, boost: Math.fround(outer.boost * query.boost) };
  switch (query.kind) {
    case 'matchAll':
      return allDocsWeight(use.boost);
    case 'matchNone':
      return NONE_WEIGHT;
    case 'term': {
      if (!query.isCaseInsensitive) return termLevelWeight(ctx, query.field, query.value, use);
      const value = String(query.value).replace(/[\\*?]/g, '\\$&');
      return patternWeight(ctx, { ...plainPattern('wildcard', query.field, value), isCaseInsensitive: true }, use);
    }
    case 'terms':
      return termsWeight(ctx, query.field, query.values, use);
    case 'range':
      return rangeWeight(ctx, query, use);
    case 'exists':
      return existsWeight(ctx, query, use);
    case 'prefix':
    case 'wildcard':
    case 'regexp':
      return patternWeight(ctx, query, use);
    case 'fuzzy':
      return fuzzyQueryWeight(ctx, query, use);
    case 'ids':
      return idsWeight(ctx, query.values, use);
    case 'bool':
      return boolWeight(ctx, query, use);
    case 'constantScore':
      return constantScoreWeight(compileQuery(ctx, query.filter, { boost: 1, isScored: false }), use.boost);
    case 'disMax':
      return disMaxWeight(
        query.queries.map((one) => compileQuery(ctx, one, use)),
        Math.fround(query.tieBreaker),
      );
    case 'boosting': {
      const negative = compileQuery(ctx, query.negative, { boost: 1, isScored: false });
      return boostingWeight(compileQuery(ctx, query.positive, use), negative, query.negativeBoost);
    }
    case 'match':
    case 'matchBoolPrefix':
      return matchWeight(ctx, query, use);
    case 'matchPhrase':
    case 'matchPhrasePrefix':
      return matchPhraseWeight(ctx, query, use);
    case 'span':
      return spanWeight(ctx, query.span, use);
    case 'functionScore':
      return compileFunctionScore(ctx, query, use, (inner, as) => compileQuery(ctx, inner, as));
    case 'distanceFeature':
      return compileDistance(ctx, query, use);
    case 'intervals':
      return intervalsWeight(ctx, query, use);
    case 'multiMatch':
      return multiMatchWeight(ctx, query, use);
    case 'queryString':
    case 'simpleQueryString':
      return compileQuery(ctx, queryStringToQuery(ctx, query), use);
    default:
      return unreachable(query);
  }
}

function fuzzyQueryWeight(ctx: CompileContext, query: FuzzyQuery, use: ClauseUse): Weight {
  const field = ctx.mapping.field(query.field);
  if (!field) return NONE_WEIGHT;
  if (field.kind !== 'text' && field.kind !== 'keyword') {
    throw illegalArgument(
      `Can only use fuzzy queries on keyword and text fields - not on [${field.path}] which is of type [${field.kind}]`,
    );
  }
  return fuzzyWeight(ctx, field.path, String(query.value), query, use);
}

function boolWeight(ctx: CompileContext, query: BoolQuery, use: ClauseUse): Weight {
  const { must, filter, should, mustNot } = query;
  const clauseCount = must.length + filter.length + should.length + mustNot.length;
  if (clauseCount === 0) return allDocsWeight(use.boost);
  if (clauseCount > CLAUSES_MAX) throw illegalArgument(`maxClauseCount is set to ${CLAUSES_MAX}`);
  const unscored: ClauseUse = { boost: 1, isScored: false };
  const compile = (clauses: readonly QueryNode[], as: ClauseUse) =>
    clauses.map((clause) => compileQuery(ctx, clause, as));
  const isRequired = must.length + filter.length > 0;
  const byDefault = isRequired || should.length === 0 ? 0 : 1;
  const { minimumShouldMatch: specified } = query;
  return booleanWeight({
    must: compile(must, use),
    filter: compile(filter, unscored),
    should: compile(should, use),
    mustNot: compile(mustNot, unscored),
    minimumShouldMatch:
      specified === null || should.length === 0
        ? byDefault
        : Math.max(byDefault, minimumShouldMatch(specified, should.length)),
  });
}
