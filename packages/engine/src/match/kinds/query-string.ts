/**
 * query_string and simple_query_string on a shard: the text is parsed here, since its default fields are the index's.
 */
import type { QueryStringQuery } from '@shoal/query';
import { queryStringToQuery } from '../compile/query-string.ts';
import type { QueryBehaviour } from './query-behaviour.ts';

function queryStringBehaviour(type: string): QueryBehaviour<QueryStringQuery> {
  return {
    compile: (ctx, query, use, compileInner) => compileInner(ctx, queryStringToQuery(ctx, query), use),
    describe: ({ text }) => ({ type, text }),
    mark: (query, sink, markInner) => markInner(queryStringToQuery(sink.ctx, query)),
  };
}

export const queryString: QueryBehaviour<QueryStringQuery> = queryStringBehaviour('QueryStringQuery');
export const simpleQueryString: QueryBehaviour<QueryStringQuery> = queryStringBehaviour('SimpleQueryStringQuery');
