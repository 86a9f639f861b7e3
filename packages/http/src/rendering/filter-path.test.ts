import { describe, expect, test } from 'vitest';
import { filterTree } from './filter-path.ts';

/** A tree with two entries a level. */
function tree(levels: number): Map<string, unknown> {
  const below = levels === 0 ? 1 : tree(levels - 1);
  return new Map([
    ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', below],
    ['b', 1],
  ]);
}

describe('filter_path', () => {
  test('with as many ** as it may have does not multiply with the levels of the answer', () => {
    const names = [...Array.from({ length: 63 }, () => '**'), 'nothing'];
    expect(filterTree(tree(40), [names.join('.')])).toEqual(new Map());
  });

  test('with many * in a name takes time in proportion to the name', () => {
    expect(filterTree(tree(3), [`${'*a'.repeat(30)}b`])).toEqual(new Map());
  });
});
