/**
 * query_string and simple_query_string on a shard: texts that become other queries, which do the work.
 */
import type { Query, QueryNode, QueryStringQuery, SimpleQueryStringQuery } from '@shoal/query';
import type { CompileContext } from '../context/compile-context.ts';
import { classicQuery } from '../query-text/classic-query.ts';
import { simpleQuery } from '../query-text/simple-query.ts';
import type { QueryBehaviour } from './query-behaviour.ts';

function queryTextBehaviour<N extends QueryNode & { readonly text: string }>(
  type: string,
  parse: (ctx: CompileContext, query: N) => Query,
): QueryBehaviour<N> {
  return {
    compile: (ctx, query, use, compileInner) =>
      compileInner({ ...ctx, exemptPatterns: 'regexp' }, parse(ctx, query), use),
    describe: ({ text }) => ({ type, text }),
    mark: (query, sink, markInner) => markInner(parse(sink.ctx, query)),
  };
}

export const queryString: QueryBehaviour<QueryStringQuery> = queryTextBehaviour('QueryStringQuery', classicQuery);
export const simpleQueryString: QueryBehaviour<SimpleQueryStringQuery> = queryTextBehaviour(
  'SimpleQueryStringQuery',
  simpleQuery,
);
