import { isMalformedMessage } from '@shoal/core';
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

describe('an analyze message', () => {
  test('reads what it wrote', () => {
    expect(ANALYZE.readRequest(ANALYZE.writeRequest(request))).toEqual(request);
    const response: AnalyzeResponse = { body: { tokens: [{ token: 'a', start_offset: 0 }] } };
    expect(ANALYZE.readResponse(ANALYZE.writeResponse(response))).toEqual(response);
  });

  test.each([
    ['text that is no list', { ...request, text: 'A B' }],
    ['a tokenizer that is a number', { ...request, tokenizer: 3 }],
    ['no explain', { ...request, explain: undefined }],
  ])('with %s is refused', (_name, message) => {
    expect(() => ANALYZE.readRequest({ message })).toThrowError(expect.toSatisfy(isMalformedMessage));
  });

  test('with an answer that is no object is refused', () => {
    expect(() => ANALYZE.readResponse({ message: { body: 'tokens' } })).toThrowError(
      expect.toSatisfy(isMalformedMessage),
    );
  });
});
