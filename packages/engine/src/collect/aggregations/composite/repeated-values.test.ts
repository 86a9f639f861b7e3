/** Several values of a document with one key in `composite`: which sources count them once, and which as often as they come. */
import { expect, test } from 'vitest';
import { answerOf, bucketsIn } from '../aggregation-answer.test-support.ts';

const MAPPING = { properties: { n: { type: 'long' }, t: { type: 'keyword' }, d: { type: 'date' } } };
const DOCS = [
  { n: [1, 1, 5], t: ['a', 'b', 'a'], d: ['2020-01-01', '2020-01-01', '2020-01-02', '2020-02-01'] },
  { n: [0, 1, 2, 3], t: ['a'], d: '2020-02-01' },
  { n: 3 },
];
const steps = { h: { histogram: { field: 'n', interval: 2 } } };
const numbers = { n: { terms: { field: 'n' } } };
const texts = { t: { terms: { field: 't' } } };
const months = { d: { date_histogram: { field: 'd', calendar_interval: 'month', format: 'M' } } };

test.each([
  [
    'steps count each value',
    [steps],
    [
      [0, 4],
      [2, 3],
      [4, 1],
    ],
  ],
  [
    'steps count each value behind texts',
    [texts, steps],
    [
      ['a', 0, 4],
      ['a', 2, 2],
      ['a', 4, 1],
      ['b', 0, 2],
      ['b', 4, 1],
    ],
  ],
  [
    'numbers of the first source count once',
    [numbers],
    [
      [0, 1],
      [1, 2],
      [2, 1],
      [3, 2],
      [5, 1],
    ],
  ],
  [
    'numbers behind others count each',
    [texts, numbers],
    [
      ['a', 0, 1],
      ['a', 1, 3],
      ['a', 2, 1],
      ['a', 3, 1],
      ['a', 5, 1],
      ['b', 1, 2],
      ['b', 5, 1],
    ],
  ],
  [
    'months of the first source count once',
    [months],
    [
      ['1', 1],
      ['2', 2],
    ],
  ],
  [
    'months behind others count each',
    [texts, months],
    [
      ['a', '1', 3],
      ['a', '2', 2],
      ['b', '1', 3],
      ['b', '2', 1],
    ],
  ],
  [
    'texts count once',
    [texts],
    [
      ['a', 2],
      ['b', 1],
    ],
  ],
])('%s', async (_, sources, expected) => {
  const answer = await answerOf(MAPPING, [DOCS], { c: { composite: { sources, size: 100 } } });
  const shown = bucketsIn(answer.c).map(({ key, doc_count }) => [...Object.values(key ?? {}), doc_count]);
  expect(shown).toEqual(expected);
});
