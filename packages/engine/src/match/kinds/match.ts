/**
 * match and match_bool_prefix on a shard.
 */

import type { MatchQuery } from '@shoal/query';
import { fieldType } from '../../field-types/field-types.ts';
import { analyzeQueryText, endsInWord, matchWeight, searchAnalyzer } from '../compile/compile-full-text.ts';
import type { MarkSink } from '../marks/marks.ts';
import type { QueryBehaviour } from './query-behaviour.ts';

/** One behaviour of both kinds: the node says which it is. */
export const match: QueryBehaviour<MatchQuery> = {
  compile: matchWeight,
  describe: ({ field, value }) => ({
    type: /\s/.test(String(value).trim()) ? 'BooleanQuery' : 'TermQuery',
    text: wordsText(field, String(value)),
  }),
  mark: markMatch,
};

/** The words of a text before analysis, since a description knows no analyzer. */
export function wordsText(field: string, text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => `${field}:${word}`)
    .join(' ');
}

export function markMatch(query: MatchQuery, sink: MarkSink): void {
  const field = sink.textField(query.field);
  if (field === null) return;
  const { fuzziness, value, kind } = query;
  if (fieldType(field.kind).textQueries === 'whole') {
    if (fuzziness === null) sink.value(query.field, value);
    else sink.fuzzy({ ...query, fuzziness });
    return;
  }
  const text = String(value);
  const tokens = analyzeQueryText(searchAnalyzer(sink.ctx, field, query.analyzer), text);
  const isLastPrefix = kind === 'matchBoolPrefix' && endsInWord(tokens, text);
  for (const [i, { term }] of tokens.entries()) {
    const word = Buffer.from(term).toString('utf8');
    if (isLastPrefix && i === tokens.length - 1) sink.prefix(query.field, word);
    else if (fuzziness !== null) sink.fuzzy({ ...query, value: word, fuzziness });
    else sink.word(query.field, word);
  }
}
