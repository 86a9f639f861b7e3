import { RawJson } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerTree } from './answer-tree.ts';
import { filterAnswer, filterTree } from './filter-path.ts';

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

describe('an answer that was not taken apart', () => {
  const raw = (value: unknown): RawJson => new RawJson(new TextEncoder().encode(JSON.stringify(value)));
  const name = fc.constantFrom('a', 'b', 'c');
  const value = fc.letrec((tie) => ({
    leaf: fc.constantFrom(1, 'x', null, undefined, [], {}),
    document: fc.jsonValue({ maxDepth: 2 }).map((inner) => raw({ a: inner, b: [inner, { c: 1 }] })),
    object: fc.dictionary(name, tie('any'), { maxKeys: 3 }),
    map: fc.array(fc.tuple(name, tie('any')), { maxLength: 3 }).map((entries) => new Map(entries)),
    list: fc.array(tie('any'), { maxLength: 3 }),
    any: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('document'), tie('object'), tie('map'), tie('list')),
  })).object;
  const filter = fc.tuple(
    fc.boolean(),
    fc.array(fc.constantFrom('a', 'b', 'c', '*', '**'), { minLength: 1, maxLength: 4 }),
  );

  test('is filtered as one that was', () => {
    fc.assert(
      fc.property(value, fc.array(filter, { maxLength: 3 }), (answer, given) => {
        const filters = given.map(([isExcluded, names]) => `${isExcluded ? '-' : ''}${names.join('.')}`);
        expect(filterAnswer(answer, filters)).toEqual(filterTree(answerTree(answer), filters));
      }),
      { numRuns: 500 },
    );
  });

  test('and what is left out as a whole is not looked into', () => {
    const broken = new RawJson(new TextEncoder().encode('{"this is": no JSON'));
    expect(filterAnswer({ took: 1, aggregations: broken }, ['took'])).toEqual(new Map([['took', 1]]));
    expect(filterAnswer({ took: 1, aggregations: broken }, ['-aggregations'])).toEqual(new Map([['took', 1]]));
  });
});
