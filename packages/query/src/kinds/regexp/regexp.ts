/**
 * `regexp`: documents that hold terms that match a regular expression.
 */
import type { QueryKind } from '../../node/query-kind.ts';
import { type PatternQuery, patternKind } from '../pattern/pattern-query.ts';

export const regexp: QueryKind<PatternQuery> = patternKind('regexp');
