import { describe, expect, test } from 'vitest';
import type { Searcher, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { Scorer } from '../../../match/weight/scorer.ts';
import { NONE_WEIGHT, type Weight } from '../../../match/weight/weight.ts';
import { expectMatches } from './expected-matches.ts';

/** Segments of 100 documents; of each what is counted (-1: nothing), and the cost of its scorers. */
function segmentsOf(...each: readonly { readonly count: number; readonly cost: number | null }[]) {
  // Only what is looked at of a segment and a scorer.
  const views = each.map(() => ({ segment: { docCount: 100 } }) as unknown as SegmentView);
  const made: number[] = [];
  const weight: Weight = {
    ...NONE_WEIGHT,
    text: 'a:b',
    count: (view) => each[views.indexOf(view)]?.count ?? -1,
    scorer: (view) => {
      const at = views.indexOf(view);
      made.push(at);
      const cost = each[at]?.cost ?? null;
      return cost === null ? null : ({ cost } as unknown as Scorer);
    },
  };
  const searcher = { views } as unknown as Searcher;
  return { searcher, views, weight, made };
}

describe('matches that are expected', () => {
  test('are those that are counted, and else the costs of scorers, of a segment its documents at most', () => {
    const { searcher, weight } = segmentsOf({ count: 10, cost: 99 }, { count: -1, cost: 20 }, { count: -1, cost: 700 });
    expect([130, 131].map((many) => expectMatches(searcher, weight, many).areMany)).toEqual([true, false]);
  });

  test('make no scorer where they are counted, nor where others are enough', () => {
    const { searcher, weight, made } = segmentsOf(
      { count: 60, cost: 1 },
      { count: -1, cost: 50 },
      { count: -1, cost: 5 },
    );
    expect(expectMatches(searcher, weight, 60)).toEqual({ areMany: true, weight });
    expect(made).toEqual([]);
    expectMatches(searcher, weight, 110);
    expect(made).toEqual([1]);
  });

  test('leave the scorers that were made to those who ask first, none among them', () => {
    const { searcher, views, weight, made } = segmentsOf({ count: -1, cost: 5 }, { count: -1, cost: null });
    const expected = expectMatches(searcher, weight, 50);
    expect([expected.areMany, expected.weight.text, made]).toEqual([false, 'a:b', [0, 1]]);
    const first = views.map((view) => expected.weight.scorer(view));
    expect([first[0]?.cost, first[1], made]).toEqual([5, null, [0, 1]]);
    const second = views.map((view) => expected.weight.scorer(view));
    expect([second[0] === first[0], made]).toEqual([false, [0, 1, 0, 1]]);
  });
});
