import { isMalformedMessage } from '@shoal/transport';
import { describe, expect, test } from 'vitest';
import { ANALYZE, type AnalyzeRequest, type AnalyzeResponse } from './analyze.ts';

const request: AnalyzeRequest = {
  index: 'lib',
  analyzer: null,
  normalizer: null,
  field: null,
  tokenizer: 'whitespace',
  filters: ['lowercase', { type: 'stop', stopwords: ['a'] }],
  charFilters: [],
  text: ['A B'],
  explain: true,
  attributes: [],
};

const token = {
  token: 'a',
  startOffset: 0,
  endOffset: 1,
  type: 'word',
  position: 0,
  positionLength: 1,
  attributes: { bytes: '[61]', termFrequency: 1 },
};

describe('an analyze message', () => {
  test('reads what it wrote', () => {
    expect(ANALYZE.readRequest(ANALYZE.writeRequest(request))).toEqual(request);
    const tokens: AnalyzeResponse = { kind: 'tokens', tokens: [token] };
    expect(ANALYZE.readResponse(ANALYZE.writeResponse(tokens))).toEqual(tokens);
    const detail: AnalyzeResponse = {
      kind: 'detail',
      detail: {
        charFilters: [{ name: 'html_strip', filteredText: ['A B'] }],
        analyzer: null,
        tokenizer: { name: 'whitespace', tokens: [token] },
        tokenFilters: [{ name: 'lowercase', tokens: [] }],
      },
    };
    expect(ANALYZE.readResponse(ANALYZE.writeResponse(detail))).toEqual(detail);
  });

  test.each([
    ['text that is no list', { ...request, text: 'A B' }],
    ['a tokenizer that is a number', { ...request, tokenizer: 3 }],
    ['no explain', { ...request, explain: undefined }],
  ])('with %s is refused', (_name, message) => {
    expect(() => ANALYZE.readRequest({ message })).toThrowError(expect.toSatisfy(isMalformedMessage));
  });

  test('with an answer of another kind is refused', () => {
    expect(() => ANALYZE.readResponse({ message: { kind: 'other' } })).toThrowError(
      expect.toSatisfy(isMalformedMessage),
    );
  });
});
