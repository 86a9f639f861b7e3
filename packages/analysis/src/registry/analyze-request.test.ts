import { describe, expect, test } from 'vitest';
import { analyzeRequest } from './analyze-request.ts';
import { createAnalyzers } from './analyzer-registry.ts';

const registry = createAnalyzers({});

const plain = {
  ...{ analyzer: null, normalizer: null, tokenizer: null, charFilters: [], filters: [] },
  ...{ explain: false, tokensMax: 100 },
};

describe('several texts', () => {
  const positions = (hasIndex: boolean, more: object): readonly number[] => {
    const request = { ...plain, ...more, hasIndex, texts: ['a', 'b'] };
    const { tokens } = analyzeRequest(registry, request) as { tokens: readonly { position: number }[] };
    return tokens.map(({ position }) => position);
  };

  test('count words that are left out at the end of one before the next', () => {
    const request = { ...plain, analyzer: 'stop', hasIndex: true, texts: ['a fox the', 'the', 'dog'] };
    const { tokens } = analyzeRequest(registry, request) as { tokens: readonly object[] };
    expect(tokens).toMatchObject([
      { token: 'fox', position: 1 },
      { token: 'dog', position: 204 },
    ]);
  });

  test('have the gap of a field between them, but not with an analyzer of no index', () => {
    expect(positions(false, { analyzer: 'standard' })).toEqual([0, 1]);
    expect(positions(true, { analyzer: 'standard' })).toEqual([0, 101]);
    expect(positions(false, { tokenizer: 'standard' })).toEqual([0, 101]);
  });
});

test('words that Dutch stems by a list are keywords behind it', () => {
  const request = { ...plain, analyzer: 'dutch', explain: true, hasIndex: false, texts: ['fiets huizen'] };
  const told = analyzeRequest(registry, request);
  expect(told).toMatchObject({
    detail: {
      analyzer: {
        tokens: [
          { token: 'fiets', keyword: true },
          { token: 'huiz', keyword: false },
        ],
      },
    },
  });
});

describe('tokens of filters', () => {
  const tokens = (text: string, ...filters: readonly Record<string, string>[]): readonly object[] => {
    const request = { ...plain, texts: [text], tokenizer: 'whitespace', filters, hasIndex: false };
    return (analyzeRequest(registry, request) as { tokens: readonly object[] }).tokens;
  };

  test('are cut by UTF-16 units, and not at all where they are keywords', () => {
    expect(tokens('a\u{1F600}b', { type: 'truncate', length: '2' })).toMatchObject([{ token: 'a\ud83d' }]);
    const marked = tokens('long', { type: 'keyword_marker', keywords: 'long' }, { type: 'truncate', length: '2' });
    expect(marked).toMatchObject([{ token: 'long' }]);
  });

  test('that are hashes of a text end with its last token', () => {
    const [hash] = tokens('one two  ', { type: 'min_hash', bucket_count: '1' });
    expect(hash).toMatchObject({ start_offset: 0, end_offset: 7, type: 'MIN_HASH' });
  });
});
