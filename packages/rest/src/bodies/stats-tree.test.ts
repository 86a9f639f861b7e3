import { expect, test } from 'vitest';
import { summedTrees } from './stats-tree.ts';

test('numbers of two trees are added up path by path', () => {
  const a = { count: 1, pool: { active: 2 }, steps: [{ set: { type: 'set', count: 1 } }] };
  const b = {
    count: 3,
    pool: { active: 4, queue: 1 },
    steps: [{ set: { type: 'set', count: 5 } }, { drop: { count: 2 } }],
  };
  expect(summedTrees(a, b)).toEqual({
    count: 4,
    pool: { active: 6, queue: 1 },
    steps: [{ set: { type: 'set', count: 6 } }, { drop: { count: 2 } }],
  });
  expect(summedTrees({}, a)).toEqual(a);
});
