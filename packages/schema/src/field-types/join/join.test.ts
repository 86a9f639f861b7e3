import { describe, expect, test } from 'vitest';
import { joinFieldOf, parentIdField, parentKind } from '../../mapping/join-field.ts';
import { mergeMapping, parseMapping } from '../../mapping/mapping-parser.ts';

const LIMITS = { totalFieldsLimit: 1_000, depthLimit: 20, fieldNameLengthLimit: 1_000, nestedFieldsLimit: 50 };
const withJoin = (relations: unknown, more: object = {}) => ({
  properties: { j: { type: 'join', relations, ...more } },
});
const USUAL = { question: ['answer', 'comment'], answer: 'vote' };

describe('a join field', () => {
  test('has a field of ids for each kind of parents', () => {
    const mapping = parseMapping(withJoin(USUAL));
    const join = joinFieldOf(mapping);
    if (join === null) throw new Error('no join field');
    expect(mapping.field('j#question')).toMatchObject({ path: 'j#question', kind: 'keyword', isIndexed: true });
    expect(mapping.field('j#vote')).toBeNull();
    expect(mapping.field('x#question')).toBeNull();
    expect([...mapping.fields.keys()]).toEqual(['j']);
    expect([parentKind(join, 'vote'), parentKind(join, 'question')]).toEqual(['answer', null]);
    expect(parentIdField(join, 'comment')).toBeNull();
  });

  test('is printed as it was declared, one child alone as its name', () => {
    const json = withJoin({ a: ['b'], c: ['d', 'e'] }, { eager_global_ordinals: false });
    expect(parseMapping(json).json).toEqual(withJoin({ a: 'b', c: ['d', 'e'] }, { eager_global_ordinals: false }));
  });

  test.each([
    ['two of them', { properties: { a: { type: 'join' }, b: { type: 'join' } } }, 'defined more than once'],
    [
      'one in an object',
      { properties: { o: { properties: { b: { type: 'join', relations: { x: 'y' } } } } } },
      'join field [o.b] cannot be added inside an object or in a multi-field',
    ],
    ['a child of two parents', withJoin({ x: 'y', z: 'y' }), '[[y] cannot have multiple parents]'],
    ['its own parent', withJoin({ x: 'x' }), '[[x] cannot be its own parent]'],
    ['relations that are none', withJoin('x'), 'cannot be cast'],
    ['a null value', withJoin(USUAL, { null_value: 'x' }), 'unknown parameter [null_value]'],
    ['copies', withJoin(USUAL, { copy_to: 'x' }), 'unknown parameter [copy_to]'],
  ])('refuses %s', (_, mapping, message) => {
    expect(() => mergeMapping({}, mapping, LIMITS)).toThrow(message);
  });

  test('may get kinds, and never loses any', () => {
    const more = { question: ['new', 'answer', 'comment'], answer: ['vote', 'w'], p: 'q' };
    expect(mergeMapping(withJoin(USUAL), withJoin(more), LIMITS)).toEqual(withJoin(more));
    const change = (relations: object) => () => mergeMapping(withJoin(USUAL), withJoin(relations), LIMITS);
    expect(change({ question: 'answer', answer: 'vote' })).toThrow('cannot remove child [comment] in join field [j]');
    expect(change({ question: ['answer', 'comment'] })).toThrow('cannot remove parent [answer] in join field [j]');
    expect(change({ ...USUAL, comment: 'x' })).toThrow('cannot create parent [comment] from an existing child');
    expect(change({ ...USUAL, x: 'question' })).toThrow('cannot create child [question] from an existing parent');
  });
});
