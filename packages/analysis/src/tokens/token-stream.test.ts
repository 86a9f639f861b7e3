import { expect, test } from 'vitest';
import { dropTerms, mapTerms } from './term-filters.ts';
import { type Token, tokenOf } from './token.ts';
import type { StreamFilter } from './token-stage.ts';
import { applyFilters, collectTokens } from './token-stream.ts';

const words = (text: string) =>
  collectTokens((next) => {
    for (const match of text.matchAll(/\S+/g)) next(match[0], match.index, match.index + match[0].length, 1, 'word');
  });

test('filters of single tokens and of streams work in one chain, each token going through before the next is read', () => {
  const seen: string[] = [];
  const watching: StreamFilter = {
    name: 'watching',
    *transform(tokens) {
      for (const token of tokens) {
        seen.push(token.term);
        yield token;
      }
    },
  };
  const upper = mapTerms('upper', (term) => term.toUpperCase());
  const out: string[] = [];
  for (const { term } of applyFilters([watching, upper, watching], words('a b'), { offset: 3, increment: 0 }))
    out.push(term);
  expect(out).toEqual(['A', 'B']);
  expect(seen).toEqual(['a', 'A', 'b', 'B']);
});

test('a filter of streams learns what was removed behind the last token, and where the text ends', () => {
  let end: { offset: number; increment: number } | null = null;
  const last: StreamFilter = {
    name: 'last',
    *transform(tokens, given) {
      yield* tokens;
      end = { ...given };
    },
  };
  const stop = dropTerms('stop', (term) => term === 'the');
  const tokens = [...applyFilters([stop, last], words('the fox the the '), { offset: 16, increment: 0 })];
  expect(tokens.map(({ term, increment }: Token) => [term, increment])).toEqual([['fox', 2]]);
  expect(end).toEqual({ offset: 16, increment: 2 });
});

test('attributes survive filters that know nothing of them', () => {
  const token = tokenOf('a', 0, 1, 1, 'word', { positionLength: 2, isKeyword: true, payload: null });
  expect([...applyFilters([mapTerms('same', (term) => term)], [token], { offset: 1, increment: 0 })]).toEqual([token]);
});
