/**
 * `wildcard`: documents that hold terms that match a pattern of `*` and `?`.
 */
import type { QueryKind } from '../../node/query-kind.ts';
import { type PatternQuery, patternKind } from '../pattern/pattern-query.ts';

export const wildcard: QueryKind<PatternQuery> = patternKind('wildcard');
