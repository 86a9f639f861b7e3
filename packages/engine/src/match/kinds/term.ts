/**
 * term on a shard. Without regard to case it is a pattern that stands for itself alone.
 */
import { type PatternQuery, plainPattern, type QueryValue, type TermQuery } from '@shoal/query';
import { INDEX_FIELD } from '../../format/metadata-fields.ts';
import { patternWeight } from '../compile/compile-patterns.ts';
import { termLevelWeight } from '../compile/compile-term-level.ts';
import { canHoldAny } from '../metadata/metadata-queries.ts';
import type { QueryBehaviour } from './query-behaviour.ts';

export const term: QueryBehaviour<TermQuery> = {
  compile: (ctx, query, use) =>
    query.isCaseInsensitive && query.field !== INDEX_FIELD
      ? patternWeight(ctx, caselessPattern(query), use)
      : termLevelWeight(ctx, query.field, valueIn(query), use),
  describe: ({ field, value }) => ({ type: 'TermQuery', text: `${field}:${value}` }),
  canMatch: (ctx, query) => canHoldAny(ctx, query.field, [String(valueIn(query))]),
  mark(query, sink) {
    if (query.isCaseInsensitive) sink.pattern(caselessPattern(query));
    else sink.value(query.field, query.value);
  },
};

/** Names of indices have small letters only: those of the request become small where they may be any. */
function valueIn({ value, isCaseInsensitive }: TermQuery): QueryValue {
  return isCaseInsensitive ? String(value).toLowerCase() : value;
}

function caselessPattern({ field, value }: TermQuery): PatternQuery {
  const escaped = String(value).replace(/[\\*?]/g, '\\$&');
  return { ...plainPattern('wildcard', field, escaped), isCaseInsensitive: true };
}
