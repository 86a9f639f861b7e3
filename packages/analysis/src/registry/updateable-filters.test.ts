import { describe, expect, test } from 'vitest';
import { createAnalyzers } from './analyzer-registry.ts';
import { checkAnalysis } from './check-analysis.ts';
import { indexTimeCheck } from './updateable-filters.ts';

function settings(updateable: string, analyzer = 'a'): Readonly<Record<string, string>> {
  return {
    'index.analysis.filter.u.type': 'synonym',
    'index.analysis.filter.u.synonyms.0': 'quick,fast',
    'index.analysis.filter.u.updateable': updateable,
    'index.analysis.filter.g.type': 'synonym_graph',
    'index.analysis.filter.g.synonyms.0': 'a,b',
    'index.analysis.filter.g.updateable': updateable,
    [`index.analysis.analyzer.${analyzer}.tokenizer`]: 'standard',
    [`index.analysis.analyzer.${analyzer}.filter.0`]: 'u',
    [`index.analysis.analyzer.${analyzer}.filter.1`]: 'g',
  };
}

describe('an analyzer with updateable synonyms', () => {
  test('finds them', () => {
    const terms: string[] = [];
    createAnalyzers(settings('true'))
      .get('a')
      ?.analyze('quick', (term) => terms.push(term));
    expect(terms).toEqual(['quick', 'fast']);
  });

  test('does not cut documents, and is named with its filters', () => {
    expect(() => indexTimeCheck(settings('true'))('a')).toThrow(
      expect.objectContaining({
        type: 'mapper_exception',
        status: 500,
        message: 'analyzer [a] contains filters [u, g] that are not allowed to run in index time mode.',
      }),
    );
    expect(() => indexTimeCheck(settings('true'))('standard')).not.toThrow();
    expect(() => indexTimeCheck(settings('false'))('a')).not.toThrow();
  });

  test('is no default analyzer, but may be that of searches', () => {
    expect(() => checkAnalysis(settings('true', 'default'))).toThrow('not allowed to run in all mode.');
    expect(() => checkAnalysis(settings('true', 'default_search'))).not.toThrow();
    expect(() => checkAnalysis(settings('maybe'))).toThrow('only [true] or [false] are allowed');
  });
});
