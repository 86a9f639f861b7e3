/** Measures of significance, the request and the partial result of significant terms. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAggs, reread, resent } from '../../levels/round-trip.test-support.ts';
import type { SignificantTermsPartial } from './significant-terms-partial.ts';
import type { SignificantTermsAggregation } from './significant-terms-request.ts';
import { significanceScore, type TermFrequencies } from './term-significance.ts';

function scoreOf(options: object, frequencies: TermFrequencies): number {
  const [one] = parseAggs({ s: { significant_terms: { field: 't', ...options } } }).aggregations;
  return significanceScore((one as SignificantTermsAggregation).significance)(frequencies);
}

/** One document of three is in the bucket; it has the term, and of the background one or two documents have it. */
const RARE: TermFrequencies = { subsetFreq: 1, subsetSize: 1, supersetFreq: 1, supersetSize: 3 };
const COMMON: TermFrequencies = { ...RARE, supersetFreq: 2 };

describe('a measure of significance', () => {
  test.each([
    ['jlh', {}, 2, 0.5],
    ['jlh', { jlh: {} }, 2, 0.5],
    ['percentage', { percentage: {} }, 1, 0.5],
    ['gnd', { gnd: {} }, 1, 0.5320968520037384],
    ['gnd beside the background', { gnd: { background_is_superset: false } }, 0.6065306597126334, 0.45272008863683083],
    ['chi_square', { chi_square: {} }, 3, 0.75],
    ['mutual_information', { mutual_information: {} }, 0.9182958340544894, 0.25162916738782287],
    [
      'mutual_information beside the background',
      { mutual_information: { include_negatives: true, background_is_superset: false } },
      0.31127812445913283,
      0.12255624891826564,
    ],
    [
      'a script',
      {
        script_heuristic: {
          script: 'params._superset_freq * 1000 + params._superset_size * 100 + params._subset_freq',
        },
      },
      1301,
      2301,
    ],
  ])('%s', (_, options, rare, common) => {
    expect(scoreOf(options, RARE)).toBeCloseTo(rare, 12);
    expect(scoreOf(options, COMMON)).toBeCloseTo(common, 12);
  });

  test('leaves out terms that are rarer in the bucket, unless it is asked for them', () => {
    const rarer = { subsetFreq: 1, subsetSize: 10, supersetFreq: 50, supersetSize: 100 };
    for (const measure of ['chi_square', 'mutual_information']) {
      expect(scoreOf({ [measure]: {} }, rarer)).toBe(Number.NEGATIVE_INFINITY);
      expect(scoreOf({ [measure]: { include_negatives: true } }, rarer)).toBeGreaterThan(0);
    }
    expect(scoreOf({ jlh: {} }, rarer)).toBe(0);
  });

  test.each(['gnd', 'chi_square', 'mutual_information'])('%s refuses a background without the bucket', (measure) => {
    const outside = { subsetFreq: 3, subsetSize: 5, supersetFreq: 1, supersetSize: 9 };
    expect(() => scoreOf({ [measure]: {} }, outside)).toThrow('subsetFreq > supersetFreq, does your background filter');
    const larger = { subsetFreq: 1, subsetSize: 5, supersetFreq: 1, supersetSize: 3 };
    expect(() => scoreOf({ [measure]: {} }, larger)).toThrow('subsetSize > supersetSize, does your background filter');
    expect(scoreOf({ [measure]: { background_is_superset: false } }, outside)).not.toBeNaN();
  });

  test('of counts that belong together is never no number', () => {
    const frequencies = fc
      .tuple(fc.nat(20), fc.nat(20), fc.nat(20), fc.nat(20))
      .map(([subsetFreq, bucketAlone, termAlone, neither]) => ({
        subsetFreq,
        subsetSize: subsetFreq + bucketAlone,
        supersetFreq: subsetFreq + termAlone,
        supersetSize: subsetFreq + bucketAlone + termAlone + neither,
      }))
      .filter(({ subsetFreq }) => subsetFreq > 0);
    fc.assert(
      fc.property(frequencies, (one) => {
        for (const measure of ['jlh', 'percentage', 'mutual_information']) {
          expect(scoreOf({ [measure]: {} }, one)).not.toBeNaN();
        }
      }),
    );
  });
});

describe('significant_terms', () => {
  test('comes out of a message as it was parsed', () => {
    const level = parseAggs({
      plain: { significant_terms: { field: 't' } },
      all: {
        significant_terms: {
          ...{ field: 't', size: 3, shard_size: 9, min_doc_count: 2, shard_min_doc_count: 1, include: 'a.*' },
          ...{ background_filter: { term: { a: 1 } }, execution_hint: 'map', chi_square: { include_negatives: true } },
        },
      },
      scripted: { significant_terms: { field: 't', script_heuristic: { script: '1' } } },
      text: { significant_text: { field: 't', source_fields: ['a', 'b.c'], filter_duplicate_text: true } },
    });
    expect(resent(level)).toEqual(level);
  });

  test('has a result that comes out of bytes as it was', () => {
    const partial: SignificantTermsPartial = {
      ...{ kind: 'significantTerms', keyKind: 'long', format: { kind: 'plain' }, isMapped: true },
      ...{ subsetSize: 7, supersetSize: 70 },
      buckets: [{ key: 5, docCount: 3, backgroundCount: 4, score: 0, children: [] }],
    };
    expect(reread([partial])).toEqual([partial]);
  });

  test.each([
    [{ size: 0 }, 'failed to parse field [size]'],
    [{ shard_size: 0 }, 'failed to parse field [shard_size]'],
    [{ min_doc_count: -1 }, 'failed to parse field [min_doc_count]'],
    [{ order: { _key: 'asc' } }, '[significant_terms] unknown field [order]'],
    [{ jlh: { a: 1 } }, '[jlh] unknown field [a]'],
    [{ percentage: { include_negatives: true } }, '[percentage] unknown field [include_negatives]'],
    [{ script_heuristic: {} }, 'Required [script]'],
  ])('%j is refused', (options, reason) => {
    expect(() => parseAggs({ s: { significant_terms: { field: 't', ...options } } })).toThrow(reason);
  });
});
