/**
 * common on a shard: words are rare or common by the documents of the shard that hold them, as Lucene's CommonTermsQuery has it.
 */
import type { CommonQuery, Operator } from '@shoal/query';
import { analyzeQueryText, searchAnalyzer } from '../../compile/compile-full-text.ts';
import { minimumShouldMatch } from '../../compile/minimum-should-match.ts';
import type { ClauseUse } from '../../context/clause-use.ts';
import { type CompileContext, queryShardError } from '../../context/compile-context.ts';
import { booleanWeight } from '../../scorers/boolean-weight.ts';
import { StatisticsCache } from '../../scorers/statistics-cache.ts';
import { termWeight } from '../../scorers/term-weight.ts';
import { NONE_WEIGHT, type Weight } from '../../weight/weight.ts';
import { wordsText } from '../match.ts';
import type { QueryBehaviour } from '../query-behaviour.ts';

const NO_CLAUSES = { must: [], filter: [], should: [], mustNot: [], minimumShouldMatch: 0 };

function compileCommon(ctx: CompileContext, query: CommonQuery, use: ClauseUse): Weight {
  const terms = termsOf(ctx, query);
  const field = ctx.mapping.field(query.field)?.path ?? query.field;
  const [only] = terms;
  if (only === undefined) return NONE_WEIGHT;
  const weightOf = (term: Uint8Array): Weight => termWeight(ctx.statistics, { field, term, ...use, docFreq: null });
  if (terms.length === 1) return weightOf(only);
  const isCommon = commonTest(ctx, field, query.cutoffFrequency);
  const commonTerms = terms.filter(isCommon);
  const rareTerms = terms.filter((term) => !isCommon(term));
  const rare = groupWeight(rareTerms.map(weightOf), query.rareOperator, query.rareMinimum);
  const minimum = minimumOf(commonTerms.length, query.commonMinimum);
  // Without rare words all common ones are asked for, lest nearly every document match.
  const operator = rareTerms.length === 0 && minimum === 0 ? 'and' : query.commonOperator;
  const common = groupWeight(commonTerms.map(weightOf), operator, query.commonMinimum);
  if (rareTerms.length === 0) return common;
  return commonTerms.length === 0 ? rare : booleanWeight({ ...NO_CLAUSES, must: [rare], should: [common] });
}

/** Whether more documents of the shard than the cutoff hold a term. */
function commonTest({ searcher }: CompileContext, field: string, cutoff: number): (term: Uint8Array) => boolean {
  const statistics = new StatisticsCache(searcher);
  const share = Math.ceil(Math.fround(cutoff * searcher.maxDoc));
  return (term) => {
    const { docFreq } = statistics.term(field, term);
    return docFreq > 0 && ((cutoff >= 1 && docFreq > cutoff) || docFreq > share);
  };
}

function groupWeight(weights: readonly Weight[], operator: Operator, minimum: string | null): Weight {
  if (operator === 'and') return booleanWeight({ ...NO_CLAUSES, must: weights });
  return booleanWeight({
    ...NO_CLAUSES,
    should: weights,
    minimumShouldMatch: Math.max(1, minimumOf(weights.length, minimum)),
  });
}

function minimumOf(clauseCount: number, specification: string | null): number {
  return specification === null || clauseCount === 0 ? 0 : minimumShouldMatch(specification, clauseCount);
}

/** Terms of the text, those that it has twice twice. */
function termsOf(ctx: CompileContext, query: CommonQuery): readonly Uint8Array[] {
  const field = ctx.mapping.field(query.field);
  if (query.analyzer !== null && ctx.analyzers.get(query.analyzer) === null) {
    throw queryShardError(ctx.shard, `[common] analyzer [${query.analyzer}] not found`);
  }
  const analyzer =
    field === null ? ctx.analyzers.get(query.analyzer ?? 'default') : searchAnalyzer(ctx, field, query.analyzer);
  return analyzer === null ? [] : analyzeQueryText(analyzer, query.value).map(({ term }) => term);
}

export const common: QueryBehaviour<CommonQuery> = {
  compile: compileCommon,
  describe: ({ field, value }) => ({ type: 'ExtendedCommonTermsQuery', text: wordsText(field, value) }),
  mark(query, sink) {
    for (const term of termsOf(sink.ctx, query)) sink.word(query.field, Buffer.from(term).toString('utf8'));
  },
};
