/**
 * prefix, wildcard and regexp on a shard: one automaton over the terms of a field.
 */
import type { PatternQuery } from '@shoal/query';
import { patternWeight } from '../compile/compile-patterns.ts';
import { canHoldAny, namePattern } from '../metadata/metadata-queries.ts';
import type { QueryBehaviour } from './query-behaviour.ts';

function patternBehaviour(type: string, notation: (value: string) => string): QueryBehaviour<PatternQuery> {
  return {
    compile: patternWeight,
    describe: ({ field, value }) => ({ type, text: `${field}:${notation(value)}` }),
    canMatch: (ctx, query) =>
      query.kind === 'regexp'
        ? canHoldAny(ctx, query.field, ['*'])
        : canHoldAny(ctx, query.field, [namePattern(query)]),
    mark: (query, sink) => sink.pattern(query),
  };
}

export const prefix: QueryBehaviour<PatternQuery> = patternBehaviour('PrefixQuery', (value) => `${value}*`);
export const wildcard: QueryBehaviour<PatternQuery> = patternBehaviour('WildcardQuery', (value) => value);
export const regexp: QueryBehaviour<PatternQuery> = patternBehaviour('RegexpQuery', (value) => `/${value}/`);
