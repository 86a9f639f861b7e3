import type { ConfigFiles } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { analyzeRequest } from '../registry/analyze-request.ts';
import { createAnalyzers } from '../registry/analyzer-registry.ts';
import { checkAnalysis } from '../registry/check-analysis.ts';

const contents: Record<string, string | Uint8Array> = {
  'words.txt': '# of one line each\n foo \n\nbar\r\n#x\nq#y\n',
  'synonyms.txt': '# tea\ntea, chai\n\ncoffee => brew\n',
  'rules.txt': 'running, runs => run\n',
  'mappings.txt': 'ph => f\n',
  'types.txt': '$ => DIGIT\n',
  'empty.txt': '# nothing\n',
  'latin1.txt': Uint8Array.of(0xff, 0x0a),
};

const files: ConfigFiles = {
  read(path) {
    const found = contents[path];
    if (path.startsWith('..')) return { kind: 'outside', path: `/${path.slice(3)}` };
    if (path === 'large.txt') return { kind: 'tooLarge', path: `/config/${path}` };
    if (found === undefined) return { kind: 'missing', path: `/config/${path}` };
    return { kind: 'read', path: `/config/${path}`, bytes: typeof found === 'string' ? Buffer.from(found) : found };
  },
  modifiedMs: () => 1,
};

function terms(options: object, text: string, group: 'filter' | 'char_filter' = 'filter'): readonly string[] {
  const settings: Record<string, string> = {
    'index.analysis.analyzer.a.tokenizer': 'whitespace',
    [`index.analysis.analyzer.a.${group}`]: 'mine',
  };
  for (const [name, value] of Object.entries(options)) settings[`index.analysis.${group}.mine.${name}`] = String(value);
  checkAnalysis(settings, files);
  const found: string[] = [];
  createAnalyzers(settings, files)
    .get('a')
    ?.analyze(text, (term) => found.push(term));
  return found;
}

describe('a list in a file', () => {
  test.each([
    [{ type: 'stop', stopwords_path: 'words.txt' }, 'foo a #x q#y bar', ['a', '#x']],
    [{ type: 'keep', keep_words_path: 'words.txt' }, 'foo a #x q#y bar', ['foo', 'q#y', 'bar']],
    [{ type: 'common_grams', common_words_path: 'words.txt' }, 'a foo', ['a', 'a_foo', 'foo']],
    [{ type: 'elision', articles_path: 'words.txt' }, "foo'a x'b", ['a', "x'b"]],
    [{ type: 'stemmer_override', rules_path: 'rules.txt' }, 'running run', ['run', 'run']],
    [{ type: 'word_delimiter', protected_words_path: 'words.txt' }, 'q#y r#y', ['q#y', 'r', 'y']],
    [{ type: 'word_delimiter', type_table_path: 'types.txt' }, 'a$b', ['a', '$', 'b']],
    [{ type: 'dictionary_decompounder', word_list_path: 'words.txt' }, 'foobar', ['foobar', 'foo', 'bar']],
    [{ type: 'synonym', synonyms_path: 'synonyms.txt' }, 'tea coffee', ['tea', 'chai', 'brew']],
    [{ type: 'synonym_graph', synonyms_path: 'empty.txt' }, 'tea', ['tea']],
  ])('%j', (options, text, expected) => expect(terms(options, text)).toEqual(expected));

  test('is there for char filters and built-in analyzers too', () => {
    expect(terms({ type: 'mapping', mappings_path: 'mappings.txt' }, 'phone', 'char_filter')).toEqual(['fone']);
    const settings = {
      'index.analysis.analyzer.s.type': 'standard',
      'index.analysis.analyzer.s.stopwords_path': 'words.txt',
    };
    checkAnalysis(settings, files);
    const found: string[] = [];
    createAnalyzers(settings, files)
      .get('s')
      ?.analyze('foo a bar', (term) => found.push(term));
    expect(found).toEqual(['a']);
  });

  test('is there for components of a request', () => {
    const answer = analyzeRequest(createAnalyzers({}, files), {
      ...{ texts: ['foo a phx'], analyzer: null, normalizer: null, tokenizer: 'whitespace', explain: false },
      charFilters: [{ type: 'mapping', mappings_path: 'mappings.txt' }],
      filters: [{ type: 'stop', stopwords_path: 'words.txt' }],
      ...{ tokensMax: 100, hasIndex: false },
    });
    expect(answer).toMatchObject({ tokens: [{ token: 'a' }, { token: 'fx' }] });
  });

  test('counts before one in the settings, or behind it, or may not stand beside it', () => {
    const stemmed = { type: 'stemmer_override', rules_path: 'rules.txt', 'rules.0': 'a => b' };
    expect(terms(stemmed, 'runs a')).toEqual(['run', 'a']);
    expect(terms({ type: 'stop', stopwords_path: 'words.txt', 'stopwords.0': 'a' }, 'foo a')).toEqual(['foo']);
    expect(() => terms({ type: 'keep', keep_words_path: 'words.txt', keep_words: 'a' }, 'a')).toThrow(
      'keep requires either `keep_words` or `keep_words_path` to be configured',
    );
  });

  test.each([
    ['none.txt', 'IOException while reading stopwords_path: /config/none.txt'],
    ['../etc/passwd', 'Access denied trying to read file stopwords_path: /etc/passwd'],
    ['large.txt', 'file of stopwords_path is larger than [33554432] bytes: /config/large.txt'],
    [
      'latin1.txt',
      'Unsupported character encoding detected while reading stopwords_path: /config/latin1.txt - files must be UTF-8 encoded',
    ],
  ])('at %s is refused when the index is created', (path, reason) => {
    expect(() => terms({ type: 'stop', stopwords_path: path }, 'a')).toThrow(reason);
  });

  test('is not read for a component without that list', () => {
    expect(terms({ type: 'length', stopwords_path: 'none.txt' }, 'a')).toEqual(['a']);
  });
});
