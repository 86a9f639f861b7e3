/**
 * `simple_query_string`: as query_string, in a smaller language that never fails.
 */
import type { QueryKind } from '../../node/query-kind.ts';
import { type QueryStringQuery, queryStringKind } from '../query-string/query-string.ts';

export const simpleQueryString: QueryKind<QueryStringQuery> = queryStringKind('simpleQueryString');
