/** Booleans that stand in a request for an aggregation. */
import { describe, expect, test } from 'vitest';
import { answerOf, bucketsIn } from '../aggregation-answer.test-support.ts';

const MAPPING = { properties: { b: { type: 'boolean' } } };
const SHARDS = [[{ b: true }, { b: false }, {}]];
const counts = async (terms: object) => {
  const { a } = await answerOf(MAPPING, SHARDS, { a: { terms: { field: 'b', ...terms } } });
  return bucketsIn(a).map(({ key, doc_count }) => [key, doc_count]);
};

describe('a boolean of a request', () => {
  test.each([
    [
      { missing: true },
      [
        [1, 2],
        [0, 1],
      ],
    ],
    [
      { missing: 'false' },
      [
        [0, 2],
        [1, 1],
      ],
    ],
    [{ include: ['true'] }, [[1, 1]]],
  ])('is a word: %j', async (terms, expected) => {
    expect(await counts(terms)).toEqual(expected);
  });

  test.each([
    [{ missing: 1 }, '1'],
    [{ missing: 'x' }, 'x'],
    [{ include: [0] }, '0'],
  ])('is no number and no other word: %j', async (terms, told) => {
    await expect(counts(terms)).rejects.toThrow(`Cannot parse boolean [${told}], expected either [true] or [false]`);
  });
});
