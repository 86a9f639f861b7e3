import { type ConfigFiles, NO_CONFIG_FILES } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { createAnalyzers } from './analyzer-registry.ts';
import { checkAnalysis } from './check-analysis.ts';
import { indexTimeCheck, reloadedAnalyzers, updateableAnalyzers } from './updateable-filters.ts';

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
    expect(() => checkAnalysis(settings('true', 'default'), NO_CONFIG_FILES)).toThrow(
      'not allowed to run in all mode.',
    );
    expect(() => checkAnalysis(settings('true', 'default_search'), NO_CONFIG_FILES)).not.toThrow();
    expect(() => checkAnalysis(settings('maybe'), NO_CONFIG_FILES)).toThrow('only [true] or [false] are allowed');
  });
});

describe('reloaded analyzers', () => {
  let synonyms = 'tea, chai';
  const files: ConfigFiles = {
    read: (path) => ({ kind: 'read', path, bytes: Buffer.from(synonyms) }),
    modifiedMs: () => 1,
  };
  const declared = {
    'index.analysis.filter.u.type': 'synonym',
    'index.analysis.filter.u.synonyms_path': 's.txt',
    'index.analysis.filter.u.updateable': 'true',
    'index.analysis.filter.f.type': 'synonym',
    'index.analysis.filter.f.synonyms_path': 's.txt',
    'index.analysis.analyzer.searched.tokenizer': 'whitespace',
    'index.analysis.analyzer.searched.filter': 'u',
    'index.analysis.analyzer.indexed.tokenizer': 'whitespace',
    'index.analysis.analyzer.indexed.filter': 'f',
  };
  const termsOf = (registry: ReturnType<typeof createAnalyzers>, name: string): readonly string[] => {
    const terms: string[] = [];
    registry.get(name)?.analyze('tea', (term) => terms.push(term));
    return terms;
  };

  test('have what the files hold by now where only searches have them, and what they held elsewhere', () => {
    const before = createAnalyzers(declared, files);
    expect(['searched', 'indexed'].map((name) => termsOf(before, name))).toEqual([
      ['tea', 'chai'],
      ['tea', 'chai'],
    ]);
    synonyms = 'tea, cha';
    expect(termsOf(before, 'searched')).toEqual(['tea', 'chai']);
    const registry = reloadedAnalyzers(before, declared, files);
    expect(updateableAnalyzers(declared)).toEqual(['searched']);
    expect(termsOf(registry, 'searched')).toEqual(['tea', 'cha']);
    expect(termsOf(registry, 'indexed')).toEqual(['tea', 'chai']);
  });

  test('are not made of files that cannot be read', () => {
    const before = createAnalyzers(declared, files);
    expect(() => reloadedAnalyzers(before, declared, NO_CONFIG_FILES)).toThrow(
      'IOException while reading synonyms_path_path: s.txt',
    );
  });
});
