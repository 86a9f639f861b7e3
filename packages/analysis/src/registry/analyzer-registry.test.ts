import fc from 'fast-check';
import snowball from 'snowball-stemmers';
import { describe, expect, test } from 'vitest';
import { porterStem } from '../stemmers/porter-stemmer.ts';
import { analyzeRequest } from './analyze-request.ts';
import { createAnalyzers } from './analyzer-registry.ts';

const registry = createAnalyzers({
  'index.analysis.analyzer.mine.tokenizer': 'whitespace',
  'index.analysis.analyzer.mine.filter.0': 'lowercase',
  'index.analysis.analyzer.mine.filter.1': 'my_stop',
  'index.analysis.filter.my_stop.type': 'stop',
  'index.analysis.filter.my_stop.stopwords': 'x,y',
});

function terms(analyzer: string, text: string): string[] {
  const out: string[] = [];
  registry.get(analyzer)!.analyze(text, (term) => out.push(term));
  return out;
}

const plain = {
  ...{ analyzer: null, normalizer: null, tokenizer: null, charFilters: [], filters: [] },
  ...{ explain: false, tokensMax: 100, hasIndex: false },
};

describe('a token filter that is named and not declared', () => {
  const tokensOf = (filter: string, hasIndex: boolean) =>
    analyzeRequest(registry, {
      ...plain,
      tokenizer: 'whitespace',
      filters: [filter],
      texts: ["l'abcdefghijkl"],
      hasIndex,
    });

  test.each([
    ['truncate', "l'abcdefgh", 'length parameter must be provided'],
    ['elision', 'abcdefghijkl', 'elision filter requires [articles] or [articles_path] setting'],
    ['common_grams', "l'abcdefghijkl", 'missing or empty [common_words]'],
    ['keep', null, 'keep requires either'],
  ])('%s has options of its own, and none in a request about an index', (filter, token, reason) => {
    if (token === null) expect(() => tokensOf(filter, false)).toThrow("can't instantiate analysis factory");
    else expect(tokensOf(filter, false)).toMatchObject({ tokens: [{ token }] });
    expect(() => tokensOf(filter, true)).toThrow(reason);
  });

  test('edge_ngram gives first letters; in a request about an index two lengths', () => {
    expect(tokensOf('edge_ngram', false)).toMatchObject({ tokens: [{ token: 'l' }] });
    expect(tokensOf('edge_ngram', true)).toMatchObject({ tokens: [{ token: 'l' }, { token: "l'" }] });
  });

  test('is the one of the index where that declares it', () => {
    expect(tokensOf('my_stop', true)).toMatchObject({ tokens: [{ token: "l'abcdefghijkl" }] });
  });
});

describe('the standard analyzer', () => {
  test('cuts as Elasticsearch does, with offsets, types and positions', () => {
    const answer = analyzeRequest(registry, {
      ...plain,
      analyzer: 'standard',
      texts: ["The QUICK fox-trot 3.14 it's"],
    });
    expect(answer).toEqual({
      tokens: [
        { token: 'the', start_offset: 0, end_offset: 3, type: '<ALPHANUM>', position: 0 },
        { token: 'quick', start_offset: 4, end_offset: 9, type: '<ALPHANUM>', position: 1 },
        { token: 'fox', start_offset: 10, end_offset: 13, type: '<ALPHANUM>', position: 2 },
        { token: 'trot', start_offset: 14, end_offset: 18, type: '<ALPHANUM>', position: 3 },
        { token: '3.14', start_offset: 19, end_offset: 23, type: '<NUM>', position: 4 },
        { token: "it's", start_offset: 24, end_offset: 28, type: '<ALPHANUM>', position: 5 },
      ],
    });
  });

  test.each([
    ['a.b 1,5 a,b 1.a x:y 12:30 _ __a_ a1.2', ['a.b', '1,5', 'a', 'b', '1', 'a', 'x:y', '12', '30', '__a_', 'a1.2']],
    ['\u6771\u4eac \u3068\u3046 \u30c6\u30b9\u30c8', ['\u6771', '\u4eac', '\u3068', '\u3046', '\u30c6\u30b9\u30c8']],
    ['na\u00efve cafe\u0301 \u00dcBER l\u2019eau', ['na\u00efve', 'cafe\u0301', '\u00fcber', 'l\u2019eau']],
    ['\ud55c\uad6d\uc5b4 \u0e20\u0e32\u0e29\u0e32', ['\ud55c\uad6d\uc5b4', '\u0e20\u0e32\u0e29\u0e32']],
    ['\u03a3\u0391\u03a3', ['\u03c3\u03b1\u03c3']],
    ['hi \u{1F600}!', ['hi', '\u{1F600}']],
    ['\u00a9 2024 a\u2122', ['\u00a9', '2024', 'a', '\u2122']],
    ["'quoted' end. C++", ['quoted', 'end', 'c']],
  ])('%s', (text, expected) => expect(terms('standard', text)).toEqual(expected));

  test('cuts plain words as the full rules do, whatever stands around them', () => {
    const piece = fc.constantFrom('ab', 'A', '1', '_', '.', "'", ':', ',', ' ', '-', '\u00e9', '\u0301', '\u6771', '"');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const text = pieces.join('');
        // A combining mark that changes nothing takes the long way.
        const long = terms('standard', text.replace(/[A-Za-z]/g, '$&\u200d')).map((t) => t.replaceAll('\u200d', ''));
        expect(terms('standard', text)).toEqual(long);
      }),
    );
  });

  test('continues a token that is too long as a new one', () => {
    expect(terms('standard', 'x'.repeat(600)).map((t) => t.length)).toEqual([255, 255, 90]);
  });
});

test('the english analyzer drops possessives and stop words and stems', () => {
  const answer = analyzeRequest(registry, { ...plain, analyzer: 'english', texts: ["The dog's generously running"] });
  expect(answer).toMatchObject({
    tokens: [{ token: 'dog', position: 1 }, { token: 'gener' }, { token: 'run', position: 3 }],
  });
});

test.each([false, true])('more tokens than the index allows are refused (explain: %s)', (explain) => {
  const request = { ...plain, analyzer: 'standard', texts: ['one two', 'three four'], explain, tokensMax: 3 };
  expect(() => analyzeRequest(registry, request)).toThrow('has exceeded the allowed maximum of [3]');
  expect(() => analyzeRequest(registry, { ...request, tokensMax: 4 })).not.toThrow();
});

test('explain shows every stage', () => {
  const request = { ...plain, tokenizer: 'whitespace', filters: ['lowercase'], texts: ['A B'], explain: true };
  expect(analyzeRequest(registry, request)).toEqual({
    detail: {
      custom_analyzer: true,
      charfilters: [],
      tokenizer: {
        name: 'whitespace',
        tokens: [
          {
            token: 'A',
            start_offset: 0,
            end_offset: 1,
            type: 'word',
            position: 0,
            bytes: '[41]',
            positionLength: 1,
            termFrequency: 1,
          },
          {
            token: 'B',
            start_offset: 2,
            end_offset: 3,
            type: 'word',
            position: 1,
            bytes: '[42]',
            positionLength: 1,
            termFrequency: 1,
          },
        ],
      },
      tokenfilters: [
        {
          name: 'lowercase',
          tokens: [
            {
              token: 'a',
              start_offset: 0,
              end_offset: 1,
              type: 'word',
              position: 0,
              bytes: '[61]',
              positionLength: 1,
              termFrequency: 1,
            },
            {
              token: 'b',
              start_offset: 2,
              end_offset: 3,
              type: 'word',
              position: 1,
              bytes: '[62]',
              positionLength: 1,
              termFrequency: 1,
            },
          ],
        },
      ],
    },
  });
});

test('analyzers of index settings are found, unknown ones are not', () => {
  expect(terms('mine', 'A x b-c Y')).toEqual(['a', 'b-c']);
  expect(registry.get('nope')).toBeNull();
  expect(terms('simple', "It's 3 Fish")).toEqual(['it', 's', 'fish']);
  expect(terms('keyword', 'As It Is')).toEqual(['As It Is']);
  expect(terms('stop', 'the FOX')).toEqual(['fox']);
});

describe('the porter stemmer', () => {
  test.each([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['agreed', 'agre'],
    ['plastered', 'plaster'],
    ['motoring', 'motor'],
    ['hopping', 'hop'],
    ['filing', 'file'],
    ['happy', 'happi'],
    ['sky', 'sky'],
    ['relational', 'relat'],
    ['possibly', 'possibl'],
    ['technology', 'technolog'],
    ['electriciti', 'electr'],
    ['adoption', 'adopt'],
    ['controll', 'control'],
    ['is', 'is'],
  ])('%s -> %s', (word, stem) => expect(porterStem(word)).toBe(stem));

  test('equals the Snowball library but for the two departures', () => {
    const other = snowball.newStemmer('porter');
    const roots =
      'act activ adjust care charg comput connect decid depend effect form gener hope imag inter nation oper prob relat sens util valu'.split(
        ' ',
      );
    const ends =
      's ed ing er ation ations ational ive iveness ful fulness ous ousness ize izer ization al ally ality ism ment ement ent ence ance able ible y ies ee eed'.split(
        ' ',
      );
    for (const root of roots) {
      for (const end of ends) {
        const word = root + end;
        expect([word, porterStem(word)]).toEqual([word, other.stem(word)]);
      }
    }
  });
});
