/** The request and the partial result of `multi_terms`, and how results of shards are merged. */
import { DamagedBytes } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BucketBudget } from '../../contract/bucket-budget.ts';
import { readPartials, writePartials } from '../../levels/partial-codec.ts';
import { reduceAggregations } from '../../levels/reduce-aggregations.ts';
import { parseAggs, reread, resent } from '../../levels/round-trip.test-support.ts';
import { compareKeyTuples, tupleName } from '../../values/key-tuple.ts';
import type { MultiTermsPartial } from './multi-terms-partial.ts';

const terms = [{ field: 'a' }, { field: 'b' }];

function partialOf(
  buckets: readonly (readonly [readonly (string | number | bigint)[], number])[],
  kinds: readonly ('text' | 'long' | 'double')[] = ['text', 'long'],
): MultiTermsPartial {
  return {
    kind: 'multiTerms',
    shapes: kinds.map((keyKind) => ({ keyKind, format: { kind: 'plain' } })),
    otherDocCount: 1,
    error: 0,
    shardCount: 1,
    buckets: buckets.map(([key, docCount]) => ({ key, docCount, error: 0, children: [] })),
  };
}

function reduced(options: object, shards: readonly MultiTermsPartial[]): MultiTermsPartial {
  const { aggregations } = parseAggs({ m: { multi_terms: { terms, ...options } } });
  const lists = shards.map((shard) => [shard]);
  const [first] = reduceAggregations(aggregations, lists, { isFinal: true, buckets: new BucketBudget(100) });
  return first as MultiTermsPartial;
}

describe('a request of multi_terms', () => {
  test('comes out of a message as it was parsed', () => {
    const level = parseAggs({
      plain: { multi_terms: { terms } },
      all: {
        multi_terms: {
          terms: [
            { field: 'a', missing: 3, value_type: 'long', format: '0.0' },
            { field: 'd', time_zone: 2 },
            { script: '1' },
          ],
          ...{ size: 3, shard_size: 9, min_doc_count: 2, shard_min_doc_count: 1, collect_mode: 'depth_first' },
          ...{ show_term_doc_count_error: true, order: [{ _count: 'asc' }, { _key: 'desc' }] },
        },
      },
    });
    expect(resent(level)).toEqual(level);
    expect(level.aggregations[1]).toMatchObject({ shardSize: 9, sources: [{}, { timeZone: '+02:00' }, {}] });
  });

  test.each([
    [{ terms: [{ field: 'a' }] }, 'failed to parse field [terms]'],
    [{ terms: [] }, 'failed to parse field [terms]'],
    [{ terms: ['a', 'b'] }, 'failed to parse field [terms]'],
    [{ terms: [{ field: 'a' }, {}] }, 'failed to parse field [terms]'],
    [{ terms: [{ field: 'a' }, { field: 'b', filter: {} }] }, 'failed to parse field [terms]'],
    [{ terms: [{ field: 'a' }, { field: 'b', time_zone: 'nowhere' }] }, 'failed to parse field [terms]'],
    [{ terms: Array.from({ length: 101 }, () => ({ field: 'a' })) }, 'failed to parse field [terms]'],
    [{ terms, size: 0 }, '[multi_terms] failed to parse field [size]'],
    [{ terms, shard_min_doc_count: -1 }, '[multi_terms] failed to parse field [shard_min_doc_count]'],
    [{ terms, include: 'x' }, '[multi_terms] unknown field [include]'],
    [{}, 'Required [terms]'],
  ])('%j is refused', (options, reason) => {
    expect(() => parseAggs({ m: { multi_terms: options } })).toThrow(reason);
  });
});

describe('results of multi_terms', () => {
  const key = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.double({ noNaN: true }).map((value) => value + 0),
  );
  const keys = fc.array(fc.tuple(key, key), { maxLength: 5 });

  test('come out of bytes as they were', () => {
    fc.assert(
      fc.property(keys, (list) => {
        const partial = partialOf([...list.map((tuple) => [tuple, 2] as const), [['x', 2n ** 60n], 1]]);
        expect(reread([partial])).toEqual([partial]);
      }),
    );
  });

  test('without values are damaged', () => {
    const bytes = writePartials([partialOf([], [])]);
    expect(() => readPartials(bytes)).toThrow(DamagedBytes);
  });

  test('of shards are added by all values of a tuple, the most frequent first', () => {
    const one = partialOf([
      [['a', 1], 2],
      [['b', 1], 1],
    ]);
    const other = partialOf([
      [['a', 1], 1],
      [['a', 2], 4],
    ]);
    const { buckets, otherDocCount } = reduced({ size: 2 }, [one, other]);
    expect(buckets.map(({ key: tuple, docCount }) => [...tuple, docCount])).toEqual([
      ['a', 2, 4],
      ['a', 1, 3],
    ]);
    expect(otherDocCount).toBe(3);
  });

  test('of texts and numbers in one place are refused, of longs and doubles they are doubles', () => {
    const [longs, doubles] = [partialOf([[['a', 1], 1]]), partialOf([[['a', 1.5], 1]], ['text', 'double'])];
    expect(reduced({}, [longs, doubles]).shapes.map(({ keyKind }) => keyKind)).toEqual(['text', 'double']);
    const texts = partialOf([[['a', 'x'], 1]], ['text', 'text']);
    expect(() => reduced({}, [longs, texts])).toThrow('the field in position 2 you gave in the aggregation query');
  });

  test('have an order by their values, and names that tell them apart', () => {
    fc.assert(
      fc.property(fc.tuple(key, key), fc.tuple(key, key), (a, b) => {
        expect(compareKeyTuples(a, b) === 0).toBe(tupleName(a) === tupleName(b));
        expect(Math.sign(compareKeyTuples(a, b)) + Math.sign(compareKeyTuples(b, a))).toBe(0);
      }),
    );
    expect(compareKeyTuples(['a', 10], ['a', 9])).toBeGreaterThan(0);
  });
});
