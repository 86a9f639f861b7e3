/**
 * term on a shard. Without regard to case it is a pattern that stands for itself alone.
 */
import { type PatternQuery, plainPattern, type TermQuery } from '@shoal/query';
import { patternWeight } from '../compile/compile-patterns.ts';
import { termLevelWeight } from '../compile/compile-term-level.ts';
import type { QueryBehaviour } from './query-behaviour.ts';

export const term: QueryBehaviour<TermQuery> = {
  compile: (ctx, query, use) =>
    query.isCaseInsensitive
      ? patternWeight(ctx, caselessPattern(query), use)
      : termLevelWeight(ctx, query.field, query.value, use),
  describe: ({ field, value }) => ({ type: 'TermQuery', text: `${field}:${value}` }),
  mark(query, sink) {
    if (query.isCaseInsensitive) sink.pattern(caselessPattern(query));
    else sink.value(query.field, query.value);
  },
};

function caselessPattern({ field, value }: TermQuery): PatternQuery {
  const escaped = String(value).replace(/[\\*?]/g, '\\$&');
  return { ...plainPattern('wildcard', field, escaped), isCaseInsensitive: true };
}
