/**
 * `match_bool_prefix`: as match, with the last term of the text as a prefix.
 */
import type { QueryKind } from '../../node/query-kind.ts';
import { type MatchQuery, matchKind } from '../match/match.ts';

export const matchBoolPrefix: QueryKind<MatchQuery> = matchKind('matchBoolPrefix');
