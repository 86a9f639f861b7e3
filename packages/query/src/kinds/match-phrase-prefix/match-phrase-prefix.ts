/**
 * `match_phrase_prefix`: as match_phrase, with the last term of the text as a prefix.
 */
import type { QueryKind } from '../../node/query-kind.ts';
import { type MatchPhraseQuery, matchPhraseKind } from '../match-phrase/match-phrase.ts';

export const matchPhrasePrefix: QueryKind<MatchPhraseQuery> = matchPhraseKind('matchPhrasePrefix');
