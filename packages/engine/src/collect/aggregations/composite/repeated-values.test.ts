/** Several values of a document with one key in `composite`: which sources count them once, and which as often as they come. */
import { describe, expect, test } from 'vitest';
import { answerOf, bucketsIn } from '../aggregation-answer.test-support.ts';

const MAPPING = {
  properties: {
    n: { type: 'long' },
    u: { type: 'long', index: false },
    f: { type: 'double' },
    t: { type: 'keyword' },
    d: { type: 'date' },
  },
};
const DOCS = [
  {
    n: [1, 1, 5],
    u: [1, 1],
    f: [1.5, 1.5],
    t: ['a', 'b', 'a'],
    d: ['2020-01-01', '2020-01-01', '2020-01-02', '2020-02-01'],
  },
  { n: [0, 1, 2, 3], t: ['a'], d: '2020-02-01' },
  { n: 3 },
];

async function shown(sources: readonly object[], query: object = { match_all: {} }): Promise<readonly unknown[]> {
  const answer = await answerOf(MAPPING, [DOCS], { c: { composite: { sources, size: 100 } } }, query);
  return bucketsIn(answer.c).map(({ key, doc_count }) => [...Object.values(key ?? {}), doc_count]);
}

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
  expect(await shown(sources)).toEqual(expected);
});

const once = [
  [0, 1],
  [1, 2],
  [2, 1],
  [3, 2],
  [5, 1],
];
const each = [
  [0, 1],
  [1, 3],
  [2, 1],
  [3, 2],
  [5, 1],
];

describe('numbers of the first source count once', () => {
  test.each([
    ['over all documents', { match_all: {} }],
    ['over all documents of a filter', { constant_score: { filter: { match_all: {} } } }],
    ['over a range of the field', { range: { n: { gte: 0 } } }],
    ['over a filter that is a range of the field', { bool: { filter: [{ range: { n: { lte: 5 } } }] } }],
  ])('%s', async (_, query) => {
    expect(await shown([numbers], query)).toEqual(once);
  });

  test('within the range that is asked for', async () => {
    expect(await shown([numbers], { range: { n: { gt: 0, lt: 3 } } })).toEqual([
      [1, 2],
      [2, 1],
    ]);
    expect(await shown([months], { range: { d: { lt: '2020-02-01' } } })).toEqual([['1', 1]]);
  });
});

describe('numbers of the first source count each', () => {
  test.each([
    ['over any other query', [numbers], { bool: { filter: [{ exists: { field: 'n' } }, { match_all: {} }] } }, each],
    ['in descending order', [{ n: { terms: { field: 'n', order: 'desc' } } }], { match_all: {} }, each.toReversed()],
    ['with a bucket of none', [{ n: { terms: { field: 'n', missing_bucket: true } } }], { match_all: {} }, each],
    ['that are not indexed', [{ u: { terms: { field: 'u' } } }], { match_all: {} }, [[1, 2]]],
    ['that have fractions', [{ f: { terms: { field: 'f' } } }], { match_all: {} }, [[1.5, 2]]],
  ])('%s', async (_, sources, query, expected) => {
    expect(await shown(sources, query)).toEqual(expected);
  });
});

describe('a source of a script', () => {
  test.each([
    [
      'counts texts once',
      { terms: { script: "['x', 'x', 'b']" } },
      [
        ['b', 3],
        ['x', 3],
      ],
    ],
    ['counts numbers each', { terms: { script: 'doc["n"]', value_type: 'long' } }, each],
    [
      'changes the values of a field',
      { terms: { field: 't', script: '_value + 1' } },
      [
        ['a1', 2],
        ['b1', 1],
      ],
    ],
    [
      'is rounded to steps',
      { histogram: { field: 'n', script: '_value * 2', interval: 4 } },
      [
        [0, 4],
        [4, 3],
        [8, 1],
      ],
    ],
    [
      'is rounded to months',
      { date_histogram: { script: 'doc["d"]', calendar_interval: 'month', format: 'M' } },
      [
        ['1', 3],
        ['2', 2],
      ],
    ],
  ])('%s', async (_, source, expected) => {
    expect(await shown([{ s: source }])).toEqual(expected);
  });

  test.each([
    [{ terms: { field: 'n', missing: 7 } }, '[terms] unknown field [missing]'],
    [{ geotile_grid: { script: '1' } }, '[script] of [geotile_grid] is not supported by this server'],
  ])('%j is refused', async (source, reason) => {
    await expect(shown([{ s: source }])).rejects.toMatchObject({
      reason: expect.stringContaining('[composite] failed to parse field [sources]'),
      causedBy: { reason: expect.stringContaining(reason) },
    });
  });
});
