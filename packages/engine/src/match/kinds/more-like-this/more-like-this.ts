/**
 * more_like_this on a shard.
 */
import { illegalArgument } from '@shoal/core';
import type { MoreLikeThisQuery } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import { searchAnalyzer } from '../../compile/compile-full-text.ts';
import { defaultFields } from '../../compile/compile-multi-match.ts';
import { idsWeight } from '../../compile/compile-term-level.ts';
import { minimumShouldMatch } from '../../compile/minimum-should-match.ts';
import type { ClauseUse } from '../../context/clause-use.ts';
import { type CompileContext, utf8Bytes } from '../../context/compile-context.ts';
import { booleanWeight } from '../../scorers/boolean-weight.ts';
import { termWeight } from '../../scorers/term-weight.ts';
import { CLAUSES_MAX } from '../../term-sets/clause-limits.ts';
import { NONE_WEIGHT, type Weight } from '../../weight/weight.ts';
import { type QueryBehaviour, UNSCORED } from '../query-behaviour.ts';
import { type LikedFields, type TellingWord, TellingWords } from './telling-words.ts';

function compileMoreLikeThis(ctx: CompileContext, query: MoreLikeThisQuery, use: ClauseUse): Weight {
  const fields = likedFields(ctx, query);
  if (fields === null) return NONE_WEIGHT;
  const words = new TellingWords(ctx, query, fields);
  const groups: Weight[] = [];
  if (query.likeDocuments.length > 0) groups.push(groupWeight(ctx, query, words.ofDocuments(), use));
  if (query.likeTexts.length > 0) groups.push(groupWeight(ctx, query, words.ofTexts(), use));
  const like = anyWeight(groups, 1);
  const ids = excludedIds(query);
  if (ids.length === 0) return like;
  const mustNot = [idsWeight(ctx, ids, UNSCORED)];
  return booleanWeight({ must: [], filter: [], should: [like], mustNot, minimumShouldMatch: 1 });
}

function groupWeight(
  ctx: CompileContext,
  query: MoreLikeThisQuery,
  words: readonly TellingWord[],
  use: ClauseUse,
): Weight {
  const weights = words.slice(0, CLAUSES_MAX).map(({ field, word, boost }) =>
    termWeight(ctx.statistics, {
      field,
      term: utf8Bytes(word),
      boost: Math.fround(use.boost * boost),
      isScored: use.isScored,
      docFreq: null,
    }),
  );
  return anyWeight(weights, Math.max(1, minimumShouldMatch(query.minimumShouldMatch, weights.length)));
}

function anyWeight(should: readonly Weight[], minimum: number): Weight {
  if (should.length === 0) return NONE_WEIGHT;
  return booleanWeight({ must: [], filter: [], should, mustNot: [], minimumShouldMatch: minimum });
}

/** Ids of documents that are compared with, which are not found themselves, whatever their index. */
function excludedIds({ includesLiked, likeDocuments }: MoreLikeThisQuery): readonly string[] {
  return includesLiked ? [] : likeDocuments.flatMap(({ id }) => id ?? []);
}

/** null: there are none, and nothing is found. */
function likedFields(ctx: CompileContext, query: MoreLikeThisQuery): LikedFields | null {
  const names = query.fields ?? defaultFields(ctx).map(({ pattern }) => pattern);
  const hasTexts = query.likeTexts.length + query.unlikeTexts.length > 0;
  if (query.fields === null && hasTexts && names.includes('*')) {
    throw illegalArgument(
      '[more_like_this] query cannot infer the field to analyze the free text, you should update the [index.query.default_field] index setting to a field that exists in the mapping or set the [fields] option in the query.',
    );
  }
  const paths = names.flatMap((name) => {
    const field = ctx.mapping.field(name);
    if (field === null || query.fields === null || hasLikedWords(field)) return [field?.path ?? name];
    if (!query.failsOnUnsupported) return [];
    throw illegalArgument(`more_like_this only supports text/keyword fields: [${name}]`);
  });
  const [first] = paths;
  return first === undefined ? null : { paths, analyzer: textAnalyzer(ctx, first, query.analyzer) };
}

/** Kinds that look like texts or keywords, but are others, have not. */
function hasLikedWords({ kind, grams, isKeyed }: FieldMapping): boolean {
  return (kind === 'text' && grams === null) || (kind === 'keyword' && !isKeyed);
}

function textAnalyzer(ctx: CompileContext, path: string, given: string | null): LikedFields['analyzer'] {
  const named = given === null ? null : ctx.analyzers.get(given);
  if (named !== null) return named;
  const field = ctx.mapping.field(path);
  if (field !== null) return searchAnalyzer(ctx, field, null);
  const usual = ctx.analyzers.get('default_search') ?? ctx.analyzers.get('default');
  if (usual === null) throw illegalArgument('[more_like_this] the index has no default analyzer');
  return usual;
}

export const moreLikeThis: QueryBehaviour<MoreLikeThisQuery> = {
  compile: compileMoreLikeThis,
  describe(query) {
    const { likeTexts } = query;
    const ids = excludedIds(query);
    const like = `like:${likeTexts.length === 0 ? 'null' : `[${likeTexts.join(', ')}]`}`;
    return ids.length === 0
      ? { type: 'MoreLikeThisQuery', text: like }
      : { type: 'BooleanQuery', text: `${like} -_id:(${ids.join(' ')})` };
  },
  mark(query, sink) {
    // The unified highlighter of a real server looks at no words that are chosen when a query is run.
    const fields = sink.highlighter === 'unified' ? null : likedFields(sink.ctx, query);
    if (fields === null) return;
    const words = new TellingWords(sink.ctx, query, fields);
    for (const { field, word } of [...words.ofDocuments(), ...words.ofTexts()]) sink.word(field, word);
  },
};
