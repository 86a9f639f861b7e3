/**
 * `prefix`: documents that hold terms that begin with a text.
 */
import type { QueryKind } from '../../node/query-kind.ts';
import { type PatternQuery, patternKind } from '../pattern/pattern-query.ts';

export const prefix: QueryKind<PatternQuery> = patternKind('prefix');
