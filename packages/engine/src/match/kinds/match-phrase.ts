/**
 * match_phrase and match_phrase_prefix on a shard.
 */

import type { MatchPhraseQuery } from '@shoal/query';
import { fieldType } from '../../field-types/field-types.ts';
import { analyzeQueryText, matchPhraseWeight, quoteAnalyzer } from '../compile/compile-full-text.ts';
import type { MarkedPosition, MarkSink, WordTest } from '../marks/marks.ts';
import type { QueryBehaviour } from './query-behaviour.ts';

function phraseBehaviour(type: string): QueryBehaviour<MatchPhraseQuery> {
  return {
    compile: matchPhraseWeight,
    describe: ({ field, value, slop }) => ({ type, text: `${field}:"${value}"${slop > 0 ? `~${slop}` : ''}` }),
    mark: markPhrase,
  };
}

export const matchPhrase: QueryBehaviour<MatchPhraseQuery> = phraseBehaviour('PhraseQuery');
export const matchPhrasePrefix: QueryBehaviour<MatchPhraseQuery> = phraseBehaviour('MultiPhrasePrefixQuery');

export function markPhrase(query: MatchPhraseQuery, sink: MarkSink): void {
  const field = sink.textField(query.field);
  if (field === null) return;
  if (fieldType(field.kind).textQueries === 'whole') {
    sink.value(query.field, query.value);
    return;
  }
  const tokens = analyzeQueryText(quoteAnalyzer(sink.ctx, field, query.analyzer), String(query.value));
  const [first] = tokens;
  if (first === undefined) return;
  const isPrefix = query.kind === 'matchPhrasePrefix';
  if (tokens.length === 1) {
    const word = Buffer.from(first.term).toString('utf8');
    if (isPrefix) sink.prefix(field.path, word);
    else sink.word(field.path, word);
    return;
  }
  const positions = tokens.map(({ term, position }, i): MarkedPosition => {
    const text = Buffer.from(term).toString('utf8');
    const isExpanded = isPrefix && i === tokens.length - 1;
    const test: WordTest = isExpanded ? (word) => word.startsWith(text) : (word) => word === text;
    return { test, offset: position - first.position };
  });
  sink.addPhrase({ field: field.path, positions, slop: query.slop });
}
