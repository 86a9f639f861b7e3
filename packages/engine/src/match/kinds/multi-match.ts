/**
 * multi_match on a shard.
 */
import type { MultiMatchQuery } from '@shoal/query';
import { multiMatchWeight, searchedFields } from '../compile/compile-multi-match.ts';
import type { MarkSink } from '../marks/marks.ts';
import { markMatch, wordsText } from './match.ts';
import { markPhrase } from './match-phrase.ts';
import type { QueryBehaviour } from './query-behaviour.ts';

export const multiMatch: QueryBehaviour<MultiMatchQuery> = {
  compile: multiMatchWeight,
  describe: ({ fields, value }) => ({
    type: 'DisjunctionMaxQuery',
    text: `(${fields.map(({ pattern }) => wordsText(pattern, String(value))).join(' | ')})`,
  }),
  mark: markMultiMatch,
};

/** Field by field: how their scores are combined marks nothing. */
function markMultiMatch(query: MultiMatchQuery, sink: MarkSink): void {
  for (const { field } of searchedFields(sink.ctx, query.fields)) {
    if (query.type === 'phrase' || query.type === 'phrase_prefix') {
      const kind = query.type === 'phrase' ? 'matchPhrase' : 'matchPhrasePrefix';
      markPhrase({ ...query, kind, field: field.path }, sink);
    } else {
      const kind = query.type === 'bool_prefix' ? 'matchBoolPrefix' : 'match';
      markMatch({ ...query, kind, field: field.path }, sink);
    }
  }
}
