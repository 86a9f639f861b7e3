import { describe, expect, test } from 'vitest';
import { analyzeRequest } from '../../registry/analyze-request.ts';
import { createAnalyzers } from '../../registry/analyzer-registry.ts';

function codes(options: Record<string, string>, text: string): readonly string[] {
  const { tokens } = analyzeRequest(createAnalyzers({}), {
    ...{ texts: [text], analyzer: null, normalizer: null, tokenizer: 'whitespace', charFilters: [] },
    ...{ filters: [{ type: 'phonetic', ...options }], explain: false, tokensMax: 100, hasIndex: false },
  }) as { tokens: readonly { token: string; position: number }[] };
  return tokens.map(({ token, position }) => `${token}@${position}`);
}

describe('phonetic', () => {
  test('codes by metaphone, in the place of the words, unless told otherwise', () => {
    expect(codes({}, 'joe bloggs')).toEqual(['J@0', 'BLKS@1']);
    expect(codes({ replace: 'false' }, 'joe bloggs')).toEqual(['J@0', 'joe@0', 'BLKS@1', 'bloggs@1']);
  });

  test('double_metaphone puts up to two codes behind the word', () => {
    expect(codes({ encoder: 'double_metaphone', replace: 'false' }, 'Smith')).toEqual(['Smith@0', 'SM0@0', 'XMT@0']);
    expect(codes({ encoder: 'doubleMetaphone', max_code_len: '1' }, 'Smith')).toEqual(['S@0', 'X@0']);
  });

  test('says nothing of rules, which are of the encoder beider_morse', () => {
    expect(codes({ encoder: 'soundex', rule_type: 'exact' }, 'Smith')).toEqual(['S530@0']);
  });

  test.each([
    [{ encoder: 'rot13' }, 'unknown encoder [rot13] for phonetic token filter'],
    [{ encoder: 'beider_morse' }, 'encoder [beider_morse] for phonetic token filter is not supported'],
    [{ encoder: 'soundex', max_code_len: '3' }, '[max_code_len] is for the encoder [double_metaphone]'],
    [{ encoder: 'double_metaphone', max_code_len: '0' }, 'encoder error'],
    [{ replace: 'perhaps' }, 'Failed to parse value [perhaps] as only [true] or [false] are allowed.'],
  ])('refuses %j', (options, reason) => {
    expect(() => codes(options as Record<string, string>, 'a')).toThrow(reason);
  });
});
