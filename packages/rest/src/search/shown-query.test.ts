import { writeJsonText } from '@shoal/core';
import { expect, test } from 'vitest';
import { shownQuery } from './shown-query.ts';

const shown = (query: object): string => writeJsonText(shownQuery(query));

test.each([
  [{ term: { a: 'x' } }, '{"term":{"a":{"value":"x","boost":1.0}}}'],
  [{ term: { a: { value: 1, boost: 2, _name: 'q' } } }, '{"term":{"a":{"value":1,"boost":2.0,"_name":"q"}}}'],
  [{ wildcard: { a: { value: 'x*' } } }, '{"wildcard":{"a":{"wildcard":"x*","boost":1.0}}}'],
  [
    { range: { n: { gte: 1, lt: 5 } } },
    '{"range":{"n":{"from":1,"to":5,"include_lower":true,"include_upper":false,"boost":1.0}}}',
  ],
  [
    { bool: { must_not: { exists: { field: 'a' } }, minimum_should_match: 1 } },
    '{"bool":{"must_not":[{"exists":{"field":"a","boost":1.0}}],"adjust_pure_negative":true,"minimum_should_match":"1","boost":1.0}}',
  ],
  [{ terms: { a: ['x'] } }, '{"terms":{"a":["x"],"boost":1.0}}'],
  [
    { match_phrase: { t: { query: 'a b', analyzer: 'simple' } } },
    '{"match_phrase":{"t":{"query":"a b","analyzer":"simple","slop":0,"zero_terms_query":"NONE","boost":1.0}}}',
  ],
])('%j is shown with the members that it has by default', (query, text) => {
  expect(shown(query)).toBe(text);
});

test('what the table does not know is shown as it was given', () => {
  expect(shown({ more_like_this: { like: 'a' } })).toBe('{"more_like_this":{"like":"a"}}');
  expect(shown({ exists: { field: 'a', other: 1 } })).toBe('{"exists":{"field":"a","boost":1.0,"other":1}}');
});
