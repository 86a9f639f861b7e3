import { expect, test } from 'vitest';
import { parseAggs, reread, resent } from '../../levels/round-trip.test-support.ts';
import { JointMoments } from '../../sketches/joint-moments.ts';

test('statistics of texts, of several fields and of quarters come out of a message as they were parsed', () => {
  const level = parseAggs({
    s: { string_stats: { field: 't', show_distribution: true, missing: 'x' } },
    m: { matrix_stats: { fields: ['a', 'b'], missing: { b: 2 }, mode: 'max' } },
    b: { boxplot: { field: 'n', compression: 50 } },
  });
  expect(resent(level)).toEqual(level);
});

test('their results come out of bytes as they were', () => {
  const moments = new JointMoments(2);
  moments.add(Float64Array.of(1, 2));
  moments.add(Float64Array.of(4, -2));
  const characters = new Map([[97, 3]]);
  const texts = { kind: 'stringStats', count: 2, totalLength: 3, minLength: 1, maxLength: 2, characters } as const;
  const matrix = { kind: 'matrixStats', fields: ['a', 'b'], moments } as const;
  expect(reread([texts, matrix])).toEqual([texts, matrix]);
});
