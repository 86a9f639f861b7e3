import type { ConfigFiles } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { createAnalyzers } from '../../registry/analyzer-registry.ts';
import { checkAnalysis } from '../../registry/check-analysis.ts';

const PATTERNS = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE hyphenation-info SYSTEM "hyphenation.dtd">
<hyphenation-info>
<hyphen-char value="-"/><hyphen-min before="2" after="2"/>
<classes>aA bB eE fF hH kK l m n o r s t u &#xe4;&#xc4;</classes>
<exceptions>
ta-ble
</exceptions>
<!-- <patterns> 1a </patterns> -->
<patterns>
k1b e1b l1h n1h
</patterns>
</hyphenation-info>`;

const contents: Record<string, string | Uint8Array> = {
  'de.xml': PATTERNS,
  'latin.xml': Buffer.from(PATTERNS.replace('utf-8', 'ISO-8859-1').replace('&#xe4;', 'ä'), 'latin1'),
  'words.txt': 'kaffee',
  'bad.xml': Buffer.from([0xff, 0xfe, 0xfd]),
};

const files: ConfigFiles = {
  read(path) {
    if (path.startsWith('..')) return { kind: 'outside', path: `/${path.slice(3)}` };
    const found = contents[path];
    if (found === undefined) return { kind: 'missing', path };
    return { kind: 'read', path, bytes: typeof found === 'string' ? Buffer.from(found) : found };
  },
  modifiedMs: () => 1,
};

function terms(options: Readonly<Record<string, unknown>>, text: string): readonly string[] {
  const settings: Record<string, string> = {
    'index.analysis.analyzer.a.tokenizer': 'whitespace',
    'index.analysis.analyzer.a.filter': 'mine',
    'index.analysis.filter.mine.type': 'hyphenation_decompounder',
  };
  for (const [name, value] of Object.entries(options)) settings[`index.analysis.filter.mine.${name}`] = String(value);
  checkAnalysis(settings, files);
  const found: string[] = [];
  createAnalyzers(settings, files)
    .get('a')
    ?.analyze(text, (term) => found.push(term));
  return found;
}

const given = { hyphenation_patterns_path: 'de.xml', word_list: 'kaffee,bohne,tasse,bohn,haus' };

describe('hyphenation_decompounder', () => {
  test('finds words of its list between the places where a word may be broken, letters of binding left out', () => {
    expect(terms(given, 'kaffeebohne kaffeebohnen kaffebohne')).toEqual([
      ...['kaffeebohne', 'kaffee', 'bohne', 'kaffeebohnen', 'kaffee', 'bohne', 'kaffebohne', 'bohne'],
    ]);
  });

  test('asks no pattern about its exceptions', () => {
    expect(terms({ ...given, word_list: 'ta,ble' }, 'table')).toEqual(['table', 'ta', 'ble']);
  });

  test('reads files of other encodings', () => {
    expect(terms({ ...given, hyphenation_patterns_path: 'latin.xml' }, 'kaffeebohne')).toContain('bohne');
  });

  test.each([
    [{ word_list: 'a' }, 'hyphenation_patterns_path is a required setting.'],
    [{ hyphenation_patterns_path: 'de.xml' }, 'word_list must be provided for [mine]'],
    [{ ...given, hyphenation_patterns_path: 'none.xml' }, 'Exception while reading hyphenation_patterns_path.'],
    [{ ...given, hyphenation_patterns_path: 'words.txt' }, 'Exception while reading hyphenation_patterns_path.'],
    [{ ...given, hyphenation_patterns_path: 'bad.xml' }, 'Exception while reading hyphenation_patterns_path.'],
    [{ ...given, hyphenation_patterns_path: '../de.xml' }, 'Access denied'],
    [{ ...given, min_word_size: -1 }, 'minWordSize cannot be negative'],
  ])('refuses %j', (options, reason) => expect(() => terms(options, 'a')).toThrow(reason));
});
