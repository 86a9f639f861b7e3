import type { ShardSuggestions } from '@shoal/shard-api';
import { expect, test } from 'vitest';
import { SUGGEST_PHASE } from './suggest-phase.ts';

const SUGGESTIONS: ShardSuggestions = [
  [{ text: 'a', offset: 1, length: 2, cutoff: null, options: [{ kind: 'term', text: 'b', score: 0.5, freq: 7 }] }],
  [
    {
      text: 'a b',
      offset: 0,
      length: 3,
      cutoff: 1e-9,
      options: [{ kind: 'phrase', text: 'a c', score: 0.25, highlighted: 'a <c>', isCollateMatch: true }],
    },
  ],
  [
    {
      text: 'a',
      offset: 0,
      length: 1,
      cutoff: null,
      options: [
        {
          kind: 'completion',
          text: 'abc',
          score: 3,
          document: { ord: 9, id: '1', routing: 'r', source: new TextEncoder().encode('{}') },
          contexts: [{ name: 'c', values: ['x', 'y'] }],
        },
      ],
    },
  ],
];

test('suggestions travel as they are', () => {
  expect(SUGGEST_PHASE.readResponse(SUGGEST_PHASE.writeResponse({ suggestions: SUGGESTIONS }))).toEqual({
    suggestions: SUGGESTIONS,
  });
});

test('suggestions of another form are refused', () => {
  for (const wrong of [
    {},
    { suggestions: [[{ text: 'a' }]] },
    { suggestions: [[{ ...SUGGESTIONS[0]?.[0], offset: -1 }]] },
  ]) {
    expect(() => SUGGEST_PHASE.readResponse({ message: wrong })).toThrow();
  }
});
