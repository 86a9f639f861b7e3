/**
 * The text of a suggestion as words: its field, the analyzer that cuts it, and where each word stands.
 */
import type { Analyzer } from '@shoal/analysis';
import { illegalArgument } from '@shoal/core';
import type { Suggester, Suggestion } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import type { ShardSearchContext } from '../context/shard-search-context.ts';

export interface SuggestToken {
  readonly term: string;
  /** UTF-16 position in the text. */
  readonly start: number;
  readonly end: number;
  readonly increment: number;
  readonly type: string;
}

/** Words of one text that are looked at. */
const TOKENS_MAX = 10_000;

/** @throws ShoalError when no mapping declares the field */
export function suggestField({ mapping }: ShardSearchContext, { field }: Suggester): FieldMapping {
  const found = mapping.field(field);
  if (found !== undefined && found !== null) return found;
  throw illegalArgument(`no mapping found for field [${field}]`);
}

/** @throws ShoalError when neither the suggestion nor the request has a text */
export function suggestText({ text }: Suggestion): string {
  if (text !== null) return text;
  throw illegalArgument('The required text option is missing');
}

/** Analyzer of the suggestion, or the search analyzer of its field. */
export function suggestAnalyzer(context: ShardSearchContext, field: FieldMapping, given: string | null): Analyzer {
  const ofField = field.searchAnalyzer === '' ? 'keyword' : field.searchAnalyzer;
  const analyzer = context.analyzers.get(given ?? ofField);
  if (analyzer) return analyzer;
  throw illegalArgument(`analyzer [${given ?? ofField}] doesn't exists`);
}

export function suggestTokens(analyzer: Analyzer, text: string): readonly SuggestToken[] {
  const tokens: SuggestToken[] = [];
  analyzer.analyze(text, (term, start, end, increment, type) => {
    if (tokens.length >= TOKENS_MAX)
      throw illegalArgument(`the text of a suggestion has more than ${TOKENS_MAX} words`);
    tokens.push({ term, start, end, increment, type });
  });
  return tokens;
}
