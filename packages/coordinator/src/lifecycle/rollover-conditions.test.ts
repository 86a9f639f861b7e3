import { describe, expect, test } from 'vitest';
import { areMet, parseConditions } from './rollover-conditions.ts';

const index = { ageMs: 3_600_000, docs: 10, bytes: 2_048, largestShardDocs: 6, largestShardBytes: 1_500 };
const met = (conditions: object): boolean => areMet(parseConditions({ conditions }), index);

describe('a rollover', () => {
  test.each([
    [{}, true],
    [{ max_docs: 10 }, true],
    [{ max_docs: 11 }, false],
    [{ max_age: '1h', max_docs: 99 }, true],
    [{ max_size: '3kb' }, false],
    [{ max_primary_shard_size: '1kb' }, true],
    [{ max_primary_shard_docs: '7' }, false],
    [{ max_docs: 1, min_age: '2h' }, false],
    [{ max_docs: 1, min_docs: 10 }, true],
  ])('with the conditions %j happens: %s', (conditions, expected) => {
    expect(met(conditions)).toBe(expected);
  });

  test('shows its conditions as they were given', () => {
    const [age] = parseConditions({ conditions: { max_age: '90m' } });
    expect(age?.shown).toBe('[max_age: 90m]');
  });

  test.each([
    [{ max_foo: 1 }, 'failed to parse field [conditions]'],
    [{ max_age: 5 }, 'failed to parse field [conditions]'],
    [{ max_docs: 1.5 }, 'failed to parse field [conditions]'],
    [{ max_age: 'soon' }, 'soon'],
    [{ min_docs: 1 }, 'at least one max_* rollover condition'],
    ['x', 'failed to parse field [conditions]'],
  ])('with the conditions %j is refused', (conditions, reason) => {
    expect(() => parseConditions({ conditions })).toThrow(reason);
  });
});
