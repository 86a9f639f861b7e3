import { NO_SYNONYM_SETS } from '@shoal/cluster-state';
import { NO_CONFIG_FILES } from '@shoal/core';
import type { AnalysisComponent, AnalyzeRequest } from '@shoal/protocol';
import { expect, test } from 'vitest';
import { analyzeTexts } from './analyze-texts.ts';

function terms(filter: AnalysisComponent, text: string): readonly unknown[] {
  const names = { analyzer: null, normalizer: null, field: null, tokenizer: 'whitespace', charFilters: [] };
  const request = {
    index: null,
    text: [text],
    ...names,
    filters: [filter],
    explain: false,
  } as unknown as AnalyzeRequest;
  const sources = { files: NO_CONFIG_FILES, synonymSets: NO_SYNONYM_SETS };
  const { tokens } = analyzeTexts(request, null, sources) as { tokens: readonly { token: string }[] };
  return tokens.map(({ token }) => token);
}

test('options of a component may be objects', () => {
  const script = { source: 'token.position == 0' };
  expect(terms({ type: 'predicate_token_filter', script }, 'a b')).toEqual(['a']);
});

test('an empty list is a list, and null is no option', () => {
  expect(terms({ type: 'stop', stopwords: [] }, 'the a')).toEqual(['the', 'a']);
  expect(terms({ type: 'stop', stopwords: null }, 'the fox')).toEqual(['fox']);
});

test('lists hold values alone, and objects are nested only so far', () => {
  expect(() => terms({ type: 'condition', filter: [{ type: 'truncate' }] }, 'a')).toThrow('only value lists');
  const deep = JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`);
  expect(() => terms({ type: 'stop', deep }, 'a')).toThrow('nested too deeply');
});
